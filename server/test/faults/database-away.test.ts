// The way to the database is blocked.
import './scenarios/r03-database-away.ts'

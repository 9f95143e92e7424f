// Everything dies, PostgreSQL included.
import './scenarios/r02-everything-dies.ts'
import './scenarios/r08-durable.ts'

-- Which template a draft was begun with, so that its use is counted whichever way the draft is opened. As the page names
-- it: a template that is gone since is no reason to lose a draft.
alter table drafts add column template_id text;

-- So that a request for a public key or for unsigned requests is asked, confirmed and decided by people who exist.
alter table approvals
  add constraint approvals_asked_by_a_person foreign key (asked_by) references people,
  add constraint approvals_confirmed_by_a_person foreign key (confirmed_by) references people,
  add constraint approvals_decided_by_a_person foreign key (decided_by) references people;

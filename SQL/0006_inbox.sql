-- An app's notification centre: what each profile was sent, what it opened, and the feed of that for a backend.
set local role salvo_owner;

-- A page of what a profile was sent, newest first. The next page begins where this one ended: give its last row's `at`
-- and `launch_id`. `content` holds title, body, image, click_url, buttons, data, payload, push_name and push_date, as
-- far as the message had them.
create function salvo.inbox_page(
  profile bigint, page_size int default 20, before_at timestamptz default null, before_launch bigint default null)
returns table (launch_id bigint, at timestamptz, content jsonb, opened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select i.launch_id, i.at, i.content,
    (select e.at from salvo.inbox_event e
     where e.profile_id = inbox_page.profile and e.launch_id = i.launch_id and e.kind = 'opened')
  from salvo.inbox i
  where i.profile_id = inbox_page.profile
    and (inbox_page.before_at is null
      or (i.at, i.launch_id) < (inbox_page.before_at, coalesce(inbox_page.before_launch, 0)))
  order by i.at desc, i.launch_id desc
  limit least(greatest(inbox_page.page_size, 1), 100)
$$;

-- The profile opened one message in the notification centre. True the first time; false when it was opened before, or
-- the profile was sent no such message.
create function salvo.inbox_mark_opened(profile bigint, launch bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into salvo.inbox_event (profile_id, launch_id, kind)
  select i.profile_id, i.launch_id, 'opened' from salvo.inbox i
  where i.profile_id = inbox_mark_opened.profile and i.launch_id = inbox_mark_opened.launch
  on conflict do nothing;
  return found;
end
$$;

-- The profile opened the notification centre itself; every time counts.
create function salvo.inbox_centre_opened(profile bigint) returns void
language sql security definer set search_path = '' as $$
  insert into salvo.inbox_event (profile_id, kind) values (inbox_centre_opened.profile, 'centre_opened')
$$;

-- What a backend has yet to forward, oldest first. It reads, forwards, and says so with salvo.inbox_forwarded; should
-- it die between the two, it forwards again: at least once. By a mark and not by a number that grows: an event with a
-- lower number may be committed after one with a higher.
create view salvo.inbox_feed as
select e.profile_id, e.id as event_id, p.account_id, p.external_id, e.kind, e.at, e.launch_id,
  i.content ->> 'push_name' as push_name, i.content ->> 'push_date' as push_date
from salvo.inbox_event e
join salvo.profile p on p.id = e.profile_id
left join salvo.inbox i on i.profile_id = e.profile_id and i.launch_id = e.launch_id
where e.forwarded_at is null
order by e.at, e.id;

-- These events were forwarded. Returns how many had not been before.
create function salvo.inbox_forwarded(profile_ids bigint[], event_ids bigint[]) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  marked bigint;
begin
  update salvo.inbox_event e set forwarded_at = now()
  from unnest(profile_ids, event_ids) u(profile_id, id)
  where e.profile_id = u.profile_id and e.id = u.id and e.forwarded_at is null;
  get diagnostics marked = row_count;
  return marked;
end
$$;

revoke all on function
  salvo.inbox_page(bigint, int, timestamptz, bigint), salvo.inbox_mark_opened(bigint, bigint),
  salvo.inbox_centre_opened(bigint), salvo.inbox_forwarded(bigint[], bigint[])
  from public;
grant execute on function
  salvo.inbox_page(bigint, int, timestamptz, bigint), salvo.inbox_mark_opened(bigint, bigint),
  salvo.inbox_centre_opened(bigint), salvo.inbox_forwarded(bigint[], bigint[])
  to salvo_platform;
grant select on salvo.inbox_feed to salvo_platform;

reset role;

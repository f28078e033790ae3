-- What the tables do by themselves, and the doors through which an audience comes in.
set local role salvo_owner;

-- Partitions.

-- Makes the partitions of recipient and delivery for this launch's thousand, and for the next one ahead of its need.
-- LIKE + ATTACH goes through beside open reports, where CREATE … PARTITION OF would wait for them, and everything
-- after it for that. There is no default partition: attaching would have to scan it.
create function salvo.make_partitions(up_to_launch bigint) returns void
language plpgsql security definer set search_path = '' set lock_timeout = '5s' as $$
declare
  first constant bigint := up_to_launch / 1000;
  k bigint;
  parent text;
  child text;
begin
  foreach k in array array[first, first + 1] loop
    foreach parent in array array['recipient', 'delivery'] loop
      child := pg_catalog.format('%s_p%s', parent, k);
      continue when pg_catalog.to_regclass('salvo.' || child) is not null;
      begin
        perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('salvo.make_partitions', 0));
        continue when pg_catalog.to_regclass('salvo.' || child) is not null;
        execute pg_catalog.format(
          'create table salvo.%I (like salvo.%I including defaults including constraints including indexes)',
          child, parent);
        execute pg_catalog.format(
          'alter table salvo.%I attach partition salvo.%I for values from (%s) to (%s)',
          parent, child, k * 1000, (k + 1) * 1000);
      exception when lock_not_available then
        -- The next thousand can wait for the next launch; this one's can't.
        if k = first then raise; end if;
        return;
      end;
    end loop;
  end loop;
end
$$;

-- A launch begins unplanned and with somewhere to put its rows; once it is planned what it says is fixed, because
-- ids, links and payloads already sent were made from it.
create function salvo.launch_created() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state not in ('draft', 'scheduled') then
    raise exception 'launch % can''t begin as %', new.id, new.state
      using errcode = 'check_violation', hint = 'Insert it as draft or scheduled.';
  end if;
  perform salvo.make_partitions(new.id);
  return new;
end
$$;

create function salvo.launch_fixed() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'launch % is % already: its campaign, content and options can''t change', old.id, old.state
    using errcode = 'object_not_in_prerequisite_state', hint = 'Make another launch.';
end
$$;

create trigger created after insert on salvo.launch for each row execute function salvo.launch_created();
create trigger fixed before update on salvo.launch for each row
  when (old.started_at is not null and (
    new.id <> old.id or new.campaign_id <> old.campaign_id or new.content <> old.content
    or new.options <> old.options or new.started_at is distinct from old.started_at))
  execute function salvo.launch_fixed();

-- Doors.

-- The account of a launch whose audience is still open. The lock keeps the plan out until the caller commits: its
-- first step changes the row, and from then on this refuses.
create function salvo.open_audience(launch bigint) returns bigint
language plpgsql set search_path = '' as $$
declare
  found_state text;
  found_account bigint;
begin
  select l.state, c.account_id into found_state, found_account
  from salvo.launch l join salvo.campaign c on c.id = l.campaign_id
  where l.id = open_audience.launch
  for share of l;
  if not found then
    raise exception 'there is no launch %', launch using errcode = 'no_data_found';
  end if;
  if found_state not in ('draft', 'scheduled') then
    raise exception 'launch % is % already: its audience can''t change', launch, found_state
      using errcode = 'object_not_in_prerequisite_state', hint = 'Make another launch for more recipients.';
  end if;
  return found_account;
end
$$;

-- Adds subscriptions to a launch, with variables for its templates if given; those it already has are left as they
-- are. All or nothing: an unknown subscription or one of another account refuses the call.
-- Returns how many were added. (Where the table is distributed it may count those already there too; the plan
-- counts rows itself.)
create function salvo.add_recipients(
  launch bigint, profile_ids bigint[], subscription_ids bigint[], variables jsonb[] default null)
returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  account constant bigint := salvo.open_audience(launch);
  unknown bigint;
  foreign_ones bigint;
  example text;
  added bigint;
begin
  if coalesce(pg_catalog.cardinality(profile_ids), 0) <> coalesce(pg_catalog.cardinality(subscription_ids), 0)
    or pg_catalog.cardinality(variables) <> coalesce(pg_catalog.cardinality(profile_ids), 0) then
    raise exception 'profile_ids, subscription_ids and variables must have as many elements as each other'
      using errcode = 'invalid_parameter_value',
      hint = 'One element of each a recipient; leave variables out, or give null for those without.';
  end if;

  select count(*) filter (where s.id is null),
    count(*) filter (where s.id is not null and (c.account_id, p.account_id) is distinct from (account, account)),
    min(pg_catalog.format('subscription %s of profile %s', coalesce(u.s::text, 'null'), coalesce(u.p::text, 'null')))
      filter (where s.id is null or (c.account_id, p.account_id) is distinct from (account, account))
  into unknown, foreign_ones, example
  from unnest(profile_ids, subscription_ids) u(p, s)
  left join salvo.subscription s on s.profile_id = u.p and s.id = u.s
  left join salvo.profile p on p.id = u.p
  left join salvo.channel c on c.id = s.channel_id;
  perform salvo.refuse_strangers(launch, unknown, foreign_ones, example);

  insert into salvo.recipient (launch_id, channel_id, profile_id, subscription_id, variables)
  select add_recipients.launch, s.channel_id, s.profile_id, s.id, u.v
  from unnest(profile_ids, subscription_ids, variables) u(p, s, v)
  join salvo.subscription s on s.profile_id = u.p and s.id = u.s
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end
$$;

create function salvo.refuse_strangers(launch bigint, unknown bigint, foreign_ones bigint, example text) returns void
language plpgsql set search_path = '' as $$
begin
  if unknown > 0 then
    raise exception 'launch %: % of the recipients don''t exist or belong to others, such as %', launch,
      unknown + foreign_ones, example
      using errcode = 'foreign_key_violation', hint = 'Nothing was added. Take them out and call again.';
  end if;
  if foreign_ones > 0 then
    raise exception 'launch %: % of the recipients belong to another account, such as %', launch, foreign_ones, example
      using errcode = 'insufficient_privilege',
      hint = 'Nothing was added. Profile, channel and campaign must be of one account.';
  end if;
end
$$;

-- Moves what was copied into salvo.recipient_staging for this launch into its audience. As add_recipients.
create function salvo.take_staged(launch bigint) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  account constant bigint := salvo.open_audience(launch);
  unknown bigint;
  foreign_ones bigint;
  example text;
  added bigint;
begin
  select count(*) filter (where s.id is null),
    count(*) filter (where s.id is not null and (c.account_id, p.account_id) is distinct from (account, account)),
    min(pg_catalog.format('subscription %s of profile %s', u.subscription_id, u.profile_id))
      filter (where s.id is null or (c.account_id, p.account_id) is distinct from (account, account))
  into unknown, foreign_ones, example
  from salvo.recipient_staging u
  left join salvo.subscription s on s.profile_id = u.profile_id and s.id = u.subscription_id
  left join salvo.profile p on p.id = u.profile_id
  left join salvo.channel c on c.id = s.channel_id
  where u.launch_id = take_staged.launch;
  perform salvo.refuse_strangers(launch, unknown, foreign_ones, example);

  insert into salvo.recipient (launch_id, channel_id, profile_id, subscription_id, variables)
  select u.launch_id, s.channel_id, s.profile_id, s.id, u.variables
  from salvo.recipient_staging u
  join salvo.subscription s on s.profile_id = u.profile_id and s.id = u.subscription_id
  where u.launch_id = take_staged.launch
  order by s.channel_id, s.profile_id, s.id
  on conflict do nothing;
  get diagnostics added = row_count;
  delete from salvo.recipient_staging u where u.launch_id = take_staged.launch;
  return added;
end
$$;

-- Adds every active subscription of the account's enabled channels that the filter lets through:
--   {"channels": [7, 9], "locales": ["ru", "kk"], "last_seen_after": "2026-01-31T00:00:00Z"}
-- all of them optional. Returns how many were added.
create function salvo.audience_all(launch bigint, filter jsonb default '{}') returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  account constant bigint := salvo.open_audience(launch);
  refused text;
  chosen bigint[];
  locales text[];
  seen_after timestamptz;
  added bigint;
begin
  if filter is null or pg_catalog.jsonb_typeof(filter) <> 'object' then
    raise exception 'the filter must be an object' using errcode = 'invalid_parameter_value';
  end if;
  select k into refused from pg_catalog.jsonb_object_keys(filter) k
  where k not in ('channels', 'locales', 'last_seen_after') limit 1;
  if found then
    raise exception 'the filter has an unknown key "%"', refused
      using errcode = 'invalid_parameter_value', hint = 'Known are channels, locales and last_seen_after.';
  end if;
  if pg_catalog.jsonb_typeof(filter -> 'channels') <> 'array'
    or pg_catalog.jsonb_typeof(filter -> 'locales') <> 'array'
    or pg_catalog.jsonb_typeof(filter -> 'last_seen_after') <> 'string' then
    raise exception 'the filter is malformed' using errcode = 'invalid_parameter_value',
      hint = 'channels is an array of ids, locales an array of texts, last_seen_after a time as text.';
  end if;
  seen_after := (filter ->> 'last_seen_after')::timestamptz;
  if filter ? 'locales' then
    locales := array(select pg_catalog.jsonb_array_elements_text(filter -> 'locales'));
  end if;

  if filter ? 'channels' then
    chosen := array(select e::bigint from pg_catalog.jsonb_array_elements_text(filter -> 'channels') e);
    select e::text into refused from unnest(chosen) e
    where not exists (select from salvo.channel c where c.id = e and c.account_id = account) limit 1;
    if found then
      raise exception 'launch %: channel % is not one of its account''s', launch, refused
        using errcode = 'insufficient_privilege', hint = 'Nothing was added.';
    end if;
    chosen := array(select c.id from salvo.channel c where c.id = any(chosen) and c.enabled);
  else
    chosen := array(select c.id from salvo.channel c where c.account_id = account and c.enabled);
  end if;

  -- In the order of the primary key: it then grows at its end.
  insert into salvo.recipient (launch_id, channel_id, profile_id, subscription_id)
  select audience_all.launch, s.channel_id, s.profile_id, s.id
  from salvo.subscription s join salvo.profile p on p.id = s.profile_id
  where s.channel_id = any(chosen) and s.state = 'active' and p.account_id = account
    and (locales is null or p.locale = any(locales))
    and (seen_after is null or s.last_seen_at >= seen_after)
  order by s.channel_id, s.profile_id, s.id
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end
$$;

-- Lets the planner know the audience before it is planned: rows that came in since the last ANALYZE look like none to
-- it, and joins of none are nested loops. Statistics only help: a busy table is left as it is.
create function salvo.analyze_audience(launch bigint) returns void
language plpgsql security definer set search_path = '' set lock_timeout = '5s' as $$
declare
  part constant text := pg_catalog.format('recipient_p%s', launch / 1000);
begin
  if pg_catalog.to_regclass('salvo.' || part) is not null then
    execute pg_catalog.format('analyze salvo.%I', part);
  end if;
exception when lock_not_available then
  null;
end
$$;

-- A draft becomes due, now or at `at`. Its audience stays open until it is planned.
create function salvo.schedule_launch(launch bigint, at timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform salvo.open_audience(launch);
  update salvo.launch l set state = 'scheduled', not_before = coalesce(schedule_launch.at, l.not_before)
  where l.id = schedule_launch.launch;
end
$$;

-- Rights.

revoke all on all functions in schema salvo from public;

grant execute on function
  salvo.add_recipients(bigint, bigint[], bigint[], jsonb[]), salvo.take_staged(bigint),
  salvo.audience_all(bigint, jsonb), salvo.schedule_launch(bigint, timestamptz)
  to salvo_platform;

grant execute on function
  salvo.audience_all(bigint, jsonb), salvo.make_partitions(bigint), salvo.analyze_audience(bigint)
  to salvo_runner;

-- The first two thousand launches' partitions.
select salvo.make_partitions(1);

reset role;

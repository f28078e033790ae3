-- When things are due: the clock, quiet hours, local times, recurring launches; and what platforms do with jobs.
set local role salvo_owner;

-- The clock that planned times are held against: PostgreSQL's own, moved by so many seconds. Only the owner may move
-- it, to rehearse a calendar and to test; leases and what providers ask for always go by the true one.
create table salvo.clock (
  one boolean primary key default true check (one),
  seconds double precision not null default 0
);
insert into salvo.clock default values;

create function salvo.now() returns timestamptz
language sql stable as $$
  select pg_catalog.now() + pg_catalog.make_interval(secs => (select seconds from salvo.clock))
$$;

-- The name if PostgreSQL knows such a zone, else null. Rows hold what people typed: one bad name must not stop the
-- statement that looks at everybody's launches.
create function salvo.known_zone(name text) returns text
language plpgsql stable set search_path = '' as $$
begin
  perform pg_catalog.timezone(name, pg_catalog.now());
  return name;
exception when invalid_parameter_value then
  return null;
end
$$;

-- The end of the quiet hours that `at` lies in, null when it lies in none. `quiet` is options.quiet_hours; `zone` is the
-- recipient's. By the wall clock: an hour that a change of clocks repeats is quiet twice, one it skips never was.
create function salvo.quiet_until(quiet jsonb, zone text, at timestamptz) returns timestamptz
language sql stable as $$
  select (t.day + case when t.starts > t.ends and t.clock >= t.starts then 1 else 0 end + t.ends) at time zone t.zone
  from (
    select (at at time zone z.name)::date as day, (at at time zone z.name)::time as clock,
      (quiet ->> 'from')::time as starts, (quiet ->> 'to')::time as ends, z.name as zone
    from (
      select coalesce(
        salvo.known_zone(
          case when coalesce(quiet ->> 'zone', 'recipient') = 'recipient' then zone else quiet ->> 'zone' end),
        'UTC') as name
      where pg_catalog.jsonb_typeof(quiet) = 'object'
    ) z
  ) t
  where case when t.starts < t.ends then t.clock >= t.starts and t.clock < t.ends
    else t.clock >= t.starts or t.clock < t.ends end
$$;

-- The first moment from `at` on when a chunk of recipients in `zone` may be sent. With options.local_time: that time on
-- `day`; whose zone had it longer ago than catch_up_minutes gets it at that time on the next day instead.
create function salvo.chunk_due(options jsonb, zone text, day date, at timestamptz) returns timestamptz
language sql stable as $$
  select coalesce(salvo.quiet_until(options -> 'quiet_hours', chunk_due.zone, d.due), d.due)
  from (
    select case
      when w.planned is null then at
      when w.planned >= at then w.planned
      when w.planned + w.catch_up >= at then at
      when w.today >= at then w.today
      else w.tomorrow end as due
    from (
      select (day + (options ->> 'local_time')::time) at time zone z.name as planned,
        (z.today + (options ->> 'local_time')::time) at time zone z.name as today,
        (z.today + 1 + (options ->> 'local_time')::time) at time zone z.name as tomorrow,
        pg_catalog.make_interval(mins => coalesce((options ->> 'catch_up_minutes')::int, 60)) as catch_up
      from (
        select n.name, (at at time zone n.name)::date as today
        from (select coalesce(salvo.known_zone(chunk_due.zone), 'UTC') as name) n
      ) z
    ) w
  ) d
$$;

-- The day that a launch with options.local_time is for: that of not_before on the account's own clock.
create function salvo.launch_day(not_before timestamptz, account_settings jsonb) returns date
language sql stable as $$
  select (not_before at time zone coalesce(salvo.known_zone(account_settings ->> 'time_zone'), 'UTC'))::date
$$;

-- From when on a launch is due, and when it is too late for it to begin. A local time comes to the first zone 14 hours
-- before UTC and to the last one 12 hours after it. Options that can't be read are refused when the launch is run.
create function salvo.launch_due(
  not_before timestamptz, not_after timestamptz, options jsonb, account_settings jsonb,
  out due_from timestamptz, out late_from timestamptz)
language plpgsql stable set search_path = '' as $$
declare
  at_utc timestamptz;
begin
  due_from := not_before;
  at_utc := (salvo.launch_day(not_before, account_settings) + (options ->> 'local_time')::time) at time zone 'UTC';
  if at_utc is not null then
    due_from := at_utc - interval '14 hours';
  end if;
  late_from := coalesce(not_after, coalesce(at_utc + interval '12 hours', not_before)
    + pg_catalog.make_interval(mins => coalesce((options ->> 'catch_up_minutes')::int, 60)));
exception when data_exception then
  late_from := not_after;
end
$$;

-- A recurring launch is refused when it is saved, if its zone is none.
create function salvo.schedule_saved() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = new.time_zone) then
    raise exception 'schedule "%": there is no time zone "%"', new.name, new.time_zone
      using errcode = 'invalid_parameter_value', hint = 'Give a name such as Europe/Berlin.';
  end if;
  return new;
end
$$;
create trigger saved before insert or update of time_zone on salvo.schedule
  for each row execute function salvo.schedule_saved();

-- Doors.

-- A draft with the campaign, content and options of another launch, due nowhere yet; with its recipients if asked for,
-- as far as their subscriptions are still there. Returns its id.
create function salvo.clone_launch(launch bigint, with_audience boolean default false) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  copy bigint;
begin
  insert into salvo.launch (campaign_id, content, options)
  select l.campaign_id, l.content, l.options from salvo.launch l where l.id = clone_launch.launch
  returning id into copy;
  if copy is null then
    raise exception 'there is no launch %', launch using errcode = 'no_data_found';
  end if;
  if with_audience then
    insert into salvo.recipient (launch_id, channel_id, profile_id, subscription_id, variables)
    select copy, s.channel_id, r.profile_id, r.subscription_id, r.variables
    from salvo.recipient r
    join salvo.subscription s on s.profile_id = r.profile_id and s.id = r.subscription_id
    where r.launch_id = clone_launch.launch
    order by s.channel_id, r.profile_id, r.subscription_id;
  end if;
  return copy;
end
$$;

-- Takes a job back that nobody has begun. False when somebody has, or when there is none.
create function salvo.cancel_job(job bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  update salvo.job j set state = 'cancelled', finished_at = pg_catalog.now()
  where j.id = cancel_job.job and j.state = 'queued';
  return found;
end
$$;

-- Rights.

revoke all on all functions in schema salvo from public;
grant select on salvo.clock to salvo_platform, salvo_runner, salvo_settler, salvo_reader;
grant execute on function salvo.now() to salvo_platform, salvo_runner, salvo_settler, salvo_reader;
grant execute on function salvo.clone_launch(bigint, boolean) to salvo_platform, salvo_runner;
grant execute on function salvo.cancel_job(bigint) to salvo_platform;
grant execute on function
  salvo.known_zone(text), salvo.quiet_until(jsonb, text, timestamptz),
  salvo.chunk_due(jsonb, text, date, timestamptz), salvo.launch_day(timestamptz, jsonb),
  salvo.launch_due(timestamptz, timestamptz, jsonb, jsonb)
  to salvo_runner;
-- The plan freezes zones; a launch that was missed gets a new time; what went wrong with a schedule is written there.
grant update (zone) on salvo.recipient to salvo_runner;
grant update (not_before) on salvo.launch to salvo_runner;
grant update (last_error) on salvo.schedule to salvo_runner;
grant insert (kind, launch_id, args, idempotency_key, priority, run_at, max_attempts) on salvo.job to salvo_runner;

reset role;

-- Keeping house: what ended long ago makes room, in bites so small that nobody who sends waits for them.
set local role salvo_owner;

-- Each call of a function below is one short transaction of its caller's. They run with the owner's rights, so the
-- runner deletes nothing by itself, and each looks again whether what it takes may go.

-- The moment before which things may go. A day at least: nobody trims what he is still looking at.
create function salvo.horizon(keep_days int) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  if keep_days is null or keep_days not between 1 and 36500 then
    raise exception 'keep_days is %: from 1 to 36500', coalesce(keep_days::text, 'null')
      using errcode = 'invalid_parameter_value';
  end if;
  return now() - pg_catalog.make_interval(days => keep_days);
end
$$;

-- Whether the launch ended, and nothing was done about it or told of it since.
create function salvo.ended_before(l salvo.launch, horizon timestamptz) returns boolean
language sql stable set search_path = '' as $$
  select l.state in ('finished', 'cancelled', 'missed', 'failed')
    and greatest(l.created_at, l.started_at, l.finished_at, case l.state when 'missed' then l.not_before end) < horizon
    and not exists (select from salvo.control_log c where c.launch_id = l.id and c.at >= horizon)
    and not exists (select from salvo.send_window w
      where w.launch_id = l.id and greatest(w.opened_at, w.accepted_at, w.closed_at) >= horizon)
$$;

-- Launches of which there is something to trim.
create function salvo.trimmable_launches(keep_days int) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select l.id from salvo.launch l
  where l.trimmed_at is null and salvo.ended_before(l, salvo.horizon(keep_days))
  order by l.id
$$;

-- One bite of a launch's rows, from the first table that still has some; after the last of them one of `launch`, which
-- stays. Then, or when the launch runs again, nothing is returned.
create function salvo.trim_launch(launch bigint, keep_days int, out what text, out gone bigint) returns setof record
language plpgsql security definer set search_path = '' set lock_timeout = '1s' as $$
declare
  bite constant int := 5000;
  last_profile bigint;
begin
  -- Whoever sends it again locks the row too, and asks afterwards whether this has begun.
  perform from salvo.launch l
  where l.id = trim_launch.launch and l.trimmed_at is null and salvo.ended_before(l, salvo.horizon(keep_days))
  for no key update;
  if not found then return; end if;
  update salvo.launch l set trim_begun_at = now() where l.id = trim_launch.launch and l.trim_begun_at is null;

  -- By ranges of profiles, which every one of these tables can find whether it is distributed or not. A bite is
  -- larger by what its last profile has.
  foreach what in array array['recipient_staging', 'recipient', 'delivery', 'late_evidence', 'settlement'] loop
    execute pg_catalog.format(
      'select profile_id from salvo.%I where launch_id = $1 order by profile_id offset %s limit 1', what, bite - 1)
      into last_profile using launch;
    execute pg_catalog.format('delete from salvo.%I where launch_id = $1 and profile_id <= $2', what)
      using launch, coalesce(last_profile, 9223372036854775807);
    get diagnostics gone = row_count;
    if gone > 0 then
      return next;
      return;
    end if;
  end loop;

  -- A window's list of ids is up to 80 kB. What it counted moves to the lane's total in the same transaction.
  with taken as (
    delete from salvo.send_window w where w.id = any(array(
      select v.id from salvo.send_window v where v.launch_id = trim_launch.launch limit 500))
    returning w.channel_id, w.sent, w.token_retired, w.rejected, w.expired, w.skipped, w.unknown
  ), counted as (
    insert into salvo.lane_total as t (
      launch_id, channel_id, sent, token_retired, rejected, expired, skipped, unknown)
    select trim_launch.launch, k.channel_id, sum(k.sent), sum(k.token_retired), sum(k.rejected), sum(k.expired),
      sum(k.skipped), sum(k.unknown)
    from taken k group by k.channel_id
    on conflict (launch_id, channel_id) do update set
      sent = t.sent + excluded.sent, token_retired = t.token_retired + excluded.token_retired,
      rejected = t.rejected + excluded.rejected, expired = t.expired + excluded.expired,
      skipped = t.skipped + excluded.skipped, unknown = t.unknown + excluded.unknown
  )
  select 'send_window', count(*) into what, gone from taken;
  if gone > 0 then
    return next;
    return;
  end if;

  with taken as (
    delete from salvo.chunk c
    using (
      select v.channel_id, v.chunk_no from salvo.chunk v where v.launch_id = trim_launch.launch limit 500
    ) v
    where c.launch_id = trim_launch.launch and c.channel_id = v.channel_id and c.chunk_no = v.chunk_no
    returning c.channel_id, c.back_rejected, c.back_expired, c.back_unknown
  ), counted as (
    insert into salvo.lane_total as t (launch_id, channel_id, rejected, expired, unknown)
    select trim_launch.launch, k.channel_id, -sum(k.back_rejected), -sum(k.back_expired), -sum(k.back_unknown)
    from taken k group by k.channel_id
    on conflict (launch_id, channel_id) do update set
      rejected = t.rejected + excluded.rejected, expired = t.expired + excluded.expired,
      unknown = t.unknown + excluded.unknown
  )
  select 'chunk', count(*) into what, gone from taken;
  if gone > 0 then
    return next;
    return;
  end if;

  update salvo.launch l set trimmed_at = now() where l.id = trim_launch.launch;
  what := 'launch';
  gone := 1;
  return next;
end
$$;

-- What isn't a launch's: one bite of each of these tables, or, when only looking, how much there is.
create function salvo.trim_records(keep_days int, only_look boolean, out what text, out gone bigint)
returns setof record
language plpgsql security definer set search_path = '' set lock_timeout = '1s' as $$
declare
  horizon constant timestamptz := salvo.horizon(keep_days);
  is_old text;
begin
  for what, is_old in
    values ('job', 'finished_at < $1'),
      ('control_log', 'at < $1'),
      ('test_send', 'at < $1'),
      ('runner', 'seen_at < $1'),
      ('rate_day', 'day < ($1 at time zone ''UTC'')::date'),
      ('provider_token', 'expires_at < $1'),
      -- Made anew by whoever shares a rate again; every run leaves one behind.
      ('rate_slot', 'coalesce(lease_until, ''-infinity'') < now() - interval ''1 day''')
  loop
    if only_look then
      execute pg_catalog.format('select count(*) from salvo.%I where %s', what, is_old) into gone using horizon;
    else
      execute pg_catalog.format(
        'delete from salvo.%1$I where ctid = any(array(
          select ctid from salvo.%1$I where %2$s limit 5000 for update skip locked))', what, is_old) using horizon;
      get diagnostics gone = row_count;
    end if;
    if gone > 0 then return next; end if;
  end loop;
end
$$;

-- Partitions all of whose launches ended before the horizon. Not the newest launch's nor any ahead of it.
create function salvo.droppable_partitions(keep_days int, out partition text, out bytes bigint) returns setof record
language sql stable security definer set search_path = '' as $$
  select p.name, pg_catalog.pg_total_relation_size(p.id)
  from (
    select c.oid as id, c.relname::text as name, substring(c.relname from '_p(\d+)$')::bigint as thousand
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('salvo.recipient'::regclass, 'salvo.delivery'::regclass)
  ) p
  where p.thousand < (select max(id) / 1000 from salvo.launch)
    and not exists (select from salvo.launch l
      where l.id >= p.thousand * 1000 and l.id < (p.thousand + 1) * 1000
        and not salvo.ended_before(l, salvo.horizon(keep_days)))
  order by p.thousand, p.name
$$;

-- Drops one of them. That needs the parent for a moment, which whoever sends uses all the time: it is waited for no
-- longer than a fifth of a second, because they queue behind.
-- Returns false when it was in use, true when it is gone, whoever dropped it.
create function salvo.drop_partition(partition text, keep_days int) returns boolean
language plpgsql security definer set search_path = '' set lock_timeout = '200ms' as $$
declare
  thousand constant bigint := substring(partition from '_p(\d+)$')::bigint;
begin
  update salvo.launch l set trim_begun_at = now()
  where l.id >= thousand * 1000 and l.id < (thousand + 1) * 1000 and l.trim_begun_at is null;
  if pg_catalog.to_regclass(pg_catalog.format('salvo.%I', partition)) is null then return true; end if;
  -- After the update: it has locked what it found, and waited for whoever was sending one of them again.
  if not exists (select from salvo.droppable_partitions(keep_days) d where d.partition = drop_partition.partition) then
    raise exception 'partition % may not be dropped: not all of its launches ended that long ago', partition
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  execute pg_catalog.format('drop table salvo.%I', partition);
  return true;
exception when lock_not_available then
  return false;
end
$$;

revoke all on function
  salvo.horizon(int), salvo.ended_before(salvo.launch, timestamptz), salvo.trimmable_launches(int),
  salvo.trim_launch(bigint, int), salvo.trim_records(int, boolean), salvo.droppable_partitions(int),
  salvo.drop_partition(text, int)
  from public;
grant execute on function
  salvo.trimmable_launches(int), salvo.trim_launch(bigint, int), salvo.trim_records(int, boolean),
  salvo.droppable_partitions(int), salvo.drop_partition(text, int)
  to salvo_runner;

reset role;

-- Holds what the stand-ins received against what was written. Run by demo.sh in the folder of the ledger.
\set ON_ERROR_STOP on
\set QUIET on
create temp table run as select :launch::bigint as launch, :account::bigint as account;
create temp table line (line jsonb);
\copy line from 'ledger.jsonl' with (format csv, quote e'\x01', delimiter e'\x02')

-- Two lanes may share a stand-in, so the token says whose a line is.
create temp table received as
with device as (
  select distinct s.token, h.provider
  from salvo.subscription s join salvo.channel h on h.id = s.channel_id cross join run where h.account_id = run.account
)
select device.provider, line ->> 'provider' as stand_in, line ->> 'token' as token, line ->> 'uid' as uid,
  (line ->> 'status')::int as status
from line left join device on device.token = line ->> 'token';

create temp table checked as
with received as (
  select provider, count(*) as messages, count(*) - count(distinct token) as twice from received group by provider
), written as (
  select h.provider, sum(d.requests) as requests, count(*) filter (where d.outcome = 1) as sent,
    count(*) filter (where d.outcome = 2) as dead
  from salvo.delivery d join salvo.channel h on h.id = d.channel_id where d.launch_id = :launch group by h.provider
), retired as (
  select h.provider, count(*) as retired
  from salvo.subscription s join salvo.channel h on h.id = s.channel_id
  where h.account_id = :account and s.retired_at is not null and s.state = 'retired' group by h.provider
)
select w.provider, r.messages as "the provider saw", w.requests as "requests written", w.sent, w.dead as "token_retired",
  coalesce(t.retired, 0) as "subscriptions retired", r.twice as "tokens seen twice"
from written w left join received r using (provider) left join retired t using (provider);

table checked order by provider;

do $$
declare bad text;
begin
  select string_agg(provider, ', ') into bad from checked
  where "the provider saw" is distinct from "requests written" or "tokens seen twice" <> 0
    or "token_retired" <> "subscriptions retired"
    or (provider like '%-appmetrica' and "the provider saw" <> sent);
  if bad is not null then raise exception 'the ledger and delivery differ on %', bad; end if;
  if (select count(*) from checked where sent > 0) <> 8 then raise exception 'not all eight lanes sent'; end if;

  -- Every token that a provider saw is one of its own channels'.
  select string_agg(distinct coalesce(provider, 'unknown') || ' token at ' || stand_in, ', ') into bad from received
  where case when provider like '%-firebase' then 'fcm' else split_part(provider, '-', 2) end is distinct from stand_in;
  if bad is not null then raise exception 'sent to the wrong provider: %', bad; end if;

  -- Every message id that a provider saw was written for the subscription that has that token. Set against set: the
  -- tables are too new for statistics, and a search per id would go through all of delivery each time.
  select string_agg(provider || ' ' || uid, ', ') into bad from (
    select provider, uid, token from received where uid is not null
    except
    select h.provider, d.message_uid, s.token
    from run join salvo.delivery d on d.launch_id = run.launch
    join salvo.subscription s on s.profile_id = d.profile_id and s.id = d.subscription_id
    join salvo.channel h on h.id = d.channel_id
    limit 3) wrong;
  if bad is not null then raise exception 'ids that no row of delivery has: %', bad; end if;
end
$$;

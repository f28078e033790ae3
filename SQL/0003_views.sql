-- What people and platforms read.
set local role salvo_owner;

-- Sums lanes, chunks and windows, thousands of rows at most, never messages. Planned = the six outcomes + remaining.
create view salvo.launch_progress as
select n.launch_id, n.channel_id, h.provider, n.planned,
  (coalesce(w.sent, 0) + coalesce(t.sent, 0))::bigint as sent,
  (coalesce(w.token_retired, 0) + coalesce(t.token_retired, 0))::bigint as token_retired,
  coalesce(w.rejected, 0) - coalesce(c.rejected, 0) + coalesce(t.rejected, 0) as rejected,
  coalesce(w.expired, 0) - coalesce(c.expired, 0) + coalesce(t.expired, 0) as expired,
  (coalesce(w.skipped, 0) + coalesce(t.skipped, 0))::bigint as skipped,
  coalesce(w.unknown, 0) - coalesce(c.unknown, 0) + coalesce(t.unknown, 0) as unknown,
  n.planned - coalesce(w.final, 0) + coalesce(c.unknown + c.expired + c.rejected, 0)
    - coalesce(t.sent + t.token_retired + t.rejected + t.expired + t.skipped + t.unknown, 0) as remaining,
  h.name as channel, n.state, n.stop_reason
from salvo.lane n
join salvo.channel h on h.id = n.channel_id
left join (
  select launch_id, channel_id, sum(back_unknown) as unknown, sum(back_expired) as expired,
    sum(back_rejected) as rejected
  from salvo.chunk group by launch_id, channel_id
) c on c.launch_id = n.launch_id and c.channel_id = n.channel_id
left join (
  select launch_id, channel_id, sum(sent) as sent, sum(token_retired) as token_retired, sum(rejected) as rejected,
    sum(expired) as expired, sum(skipped) as skipped, sum(unknown) as unknown,
    sum(sent + token_retired + rejected + expired + skipped + unknown) as final
  from salvo.send_window group by launch_id, channel_id
) w on w.launch_id = n.launch_id and w.channel_id = n.channel_id
left join salvo.lane_total t on t.launch_id = n.launch_id and t.channel_id = n.channel_id;

-- A row a message: what a settlement says, else its last attempt.
create view salvo.final_outcome as
select distinct on (d.launch_id, d.profile_id, d.subscription_id)
  d.launch_id, d.profile_id, d.subscription_id, d.channel_id, d.attempt,
  coalesce(s.outcome, d.outcome) as outcome,
  case when s.outcome is null then d.reason else s.reason end as reason,
  s.source as settled_by, d.requests, d.retry_at, d.http_status, d.provider_code, d.provider_message_id, d.detail,
  d.message_uid, d.variant, d.at
from salvo.delivery d
left join (
  select distinct on (launch_id, profile_id, subscription_id, attempt)
    launch_id, profile_id, subscription_id, attempt, outcome, reason, source
  from salvo.settlement order by launch_id, profile_id, subscription_id, attempt, id desc
) s on s.launch_id = d.launch_id and s.profile_id = d.profile_id and s.subscription_id = d.subscription_id
  and s.attempt = d.attempt
order by d.launch_id, d.profile_id, d.subscription_id, d.attempt desc;

-- final_outcome in words: who did not get it, and why.
create view salvo.message_log as
select f.launch_id, h.provider, h.name as channel, f.profile_id, p.external_id, f.subscription_id, f.attempt,
  (array['sent', 'token_retired', 'rejected', 'expired', 'skipped', 'unknown', 'deferred'])[f.outcome] as outcome,
  f.reason, f.settled_by, f.requests, f.retry_at, f.http_status, f.provider_code, f.provider_message_id, f.detail,
  f.message_uid, f.variant, f.at
from salvo.final_outcome f
join salvo.channel h on h.id = f.channel_id
left join salvo.profile p on p.id = f.profile_id;

-- Exact: counts messages, not windows.
create view salvo.launch_outcomes as
select launch_id, channel_id,
  (array['sent', 'token_retired', 'rejected', 'expired', 'skipped', 'unknown', 'deferred'])[outcome] as outcome,
  count(*) as messages
from salvo.final_outcome
group by launch_id, channel_id, outcome;

-- The feed of dead tokens, for whoever keeps the devices elsewhere too.
create view salvo.retired as
select s.retired_at, h.account_id, s.channel_id, h.provider, s.profile_id, p.external_id, s.id as subscription_id,
  s.token, s.retired_reason as reason
from salvo.subscription s
join salvo.channel h on h.id = s.channel_id
left join salvo.profile p on p.id = s.profile_id
where s.state = 'retired';

grant select on salvo.launch_progress, salvo.final_outcome, salvo.message_log, salvo.launch_outcomes
  to salvo_platform, salvo_runner, salvo_settler, salvo_reader;
-- With device tokens.
grant select on salvo.retired to salvo_platform;

reset role;

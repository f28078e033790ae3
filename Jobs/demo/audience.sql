-- Everybody of the account, each with a code of their own, by the door that platforms use.
\set QUIET on
select salvo.add_recipients(:launch, array_agg(s.profile_id), array_agg(s.id),
  array_agg(jsonb_build_object('code', 'AUTUMN-' || s.id || '-"é"')))
from salvo.subscription s join salvo.channel h on h.id = s.channel_id
where h.account_id = :account \gset
\echo :add_recipients recipients

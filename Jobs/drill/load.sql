-- :n subscriptions at each of four channels, personal texts, for measurements. Run by drill.sh, which gives n and the
-- endpoints as psql variables; prints account, campaign and the four channels.
\set ON_ERROR_STOP on
\set QUIET on
begin;
insert into salvo.account (name, settings) values ('Drill', '{"ttl": 86400}') returning id as account \gset
insert into salvo.campaign (account_id, name) values (:account, 'Drill') returning id as campaign \gset
insert into salvo.channel (account_id, resource_id, provider, name, settings, credential) values
  (:account, 1, 'android-firebase', 'firebase', jsonb_build_object('endpoint', :'fcm'), 'file:fcm.json'),
  (:account, 2, 'ios-apns', 'apns', jsonb_build_object('endpoint', :'apns', 'topic', 'com.example.shop',
    'team_id', 'TEAM123456', 'key_id', 'KEY1234567'), 'file:apns.p8'),
  (:account, 3, 'android-hms', 'hms', jsonb_build_object('endpoint', :'hms', 'token_endpoint', :'hms_token'),
    'file:hms.json'),
  (:account, 4, 'android-appmetrica', 'appmetrica', jsonb_build_object('endpoint', :'appmetrica', 'group_id', 97737),
    'file:appmetrica.token');
insert into salvo.profile (account_id, external_id, attributes)
select :account, 'p' || n, jsonb_build_object('name', 'Zoë ' || n) from generate_series(1, :n) n;
insert into salvo.subscription (profile_id, channel_id, token, registered_at)
select p.id, h.id, 'ab' || md5(h.id || '-' || p.id) || md5('x' || p.id), now() - interval '90 days'
from salvo.profile p join salvo.channel h on h.account_id = p.account_id where p.account_id = :account;
commit;
analyze salvo.profile, salvo.subscription;

select :account, :campaign, string_agg(id::text, ' ' order by id) from salvo.channel where account_id = :account;

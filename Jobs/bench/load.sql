-- :n people with one subscription at each channel, for measurements. Prints account, campaign and the channels in
-- their order. Channels have no limit of their own: what is measured is the machine.
\set ON_ERROR_STOP on
\set QUIET on
begin;
insert into salvo.account (name, settings)
values ('Bench ' || :n, '{"ttl": 86400, "hub_url": "https://hub.example", "link_keys": ["file:hub-1.key"]}')
returning id as account \gset
insert into salvo.campaign (account_id, name) values (:account, 'Bench') returning id as campaign \gset
insert into salvo.channel (account_id, resource_id, provider, name, settings, credential) values
  (:account, 1, 'android-firebase', 'firebase', jsonb_build_object('endpoint', :'fcm', 'ramp', 0), 'file:fcm.json'),
  (:account, 2, 'ios-apns', 'apns', jsonb_build_object('endpoint', :'apns', 'topic', 'com.example.shop',
    'team_id', 'TEAM123456', 'key_id', 'KEY1234567'), 'file:apns.p8'),
  (:account, 3, 'android-hms', 'hms', jsonb_build_object('endpoint', :'hms', 'token_endpoint', :'hms_token',
    'rate', 1000000), 'file:hms.json'),
  (:account, 4, 'android-appmetrica', 'appmetrica', jsonb_build_object('endpoint', :'appmetrica',
    'group_id', 97737, 'rate', 1000, 'requests_per_day', 1000000), 'file:appmetrica.token'),
  (:account, 5, 'android-firebase', 'firebase, 8 connections', jsonb_build_object('endpoint', :'fcm', 'ramp', 0,
    'connections', 8, 'streams', 100), 'file:fcm.json');
insert into salvo.profile (account_id, external_id, attributes)
select :account, 'p' || n, jsonb_build_object('name', 'Zoë ' || n) from generate_series(1, :n) n;
insert into salvo.subscription (profile_id, channel_id, token, registered_at)
select p.id, h.id, 'ab' || md5(h.id || '-' || p.id) || md5('x' || p.id), now() - interval '90 days'
from salvo.profile p join salvo.channel h on h.account_id = p.account_id
where p.account_id = :account and h.resource_id = any(:'wanted'::bigint[]);
commit;
vacuum analyze salvo.profile, salvo.subscription;

select :account, :campaign, string_agg(id::text, ' ' order by resource_id)
from salvo.channel where account_id = :account;

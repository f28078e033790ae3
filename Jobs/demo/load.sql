-- A campaign of 20,000 subscriptions over eight channels, with the texts that break careless senders: quotes,
-- backslashes, line breaks, emoji, right-to-left. Run by demo.sh, which gives the endpoints as psql variables.
\set ON_ERROR_STOP on
\set QUIET on
begin;

insert into salvo.account (name, settings) values ('Demo shop', jsonb_build_object(
  'ttl', 86400, 'hub_url', 'https://hub.shop.example/p', 'link_keys', jsonb_build_array('file:hub-1.key')))
returning id as account \gset

insert into salvo.campaign (account_id, name) values (:account, 'Autumn sale') returning id as campaign \gset

insert into salvo.channel (account_id, resource_id, provider, name, settings, credential)
select :account, resource, provider, name, settings, credential
from (values
  (11, 'android-firebase', 'shop-android', jsonb_build_object('endpoint', :'fcm'), 'file:fcm.json'),
  (12, 'ios-firebase', 'shop-ios-firebase', jsonb_build_object('endpoint', :'fcm'), 'file:fcm.json'),
  (13, 'ios-apns', 'shop-ios', jsonb_build_object(
    'endpoint', :'apns', 'topic', 'com.example.shop', 'team_id', 'TEAM123456', 'key_id', 'KEY1234567'), 'file:apns.p8'),
  (14, 'android-hms', 'shop-huawei', jsonb_build_object(
    'endpoint', :'hms', 'token_endpoint', :'hms_token'), 'file:hms.json'),
  (15, 'ios-hms', 'shop-ios-huawei', jsonb_build_object(
    'endpoint', :'hms', 'token_endpoint', :'hms_token'), 'file:hms.json'),
  (16, 'android-appmetrica', 'shop-appmetrica', jsonb_build_object(
    'endpoint', :'appmetrica', 'group_id', 97737), 'file:appmetrica.token'),
  (17, 'ios-appmetrica', 'shop-ios-appmetrica', jsonb_build_object(
    'endpoint', :'appmetrica', 'group_id', 97737), 'file:appmetrica.token'),
  (18, 'android-rustore', 'shop-rustore', jsonb_build_object(
    'endpoint', :'rustore', 'project_id', 'salvo-demo'), 'file:rustore.token')
) channel (resource, provider, name, settings, credential);

insert into salvo.profile (account_id, external_id, locale, time_zone, attributes)
select :account, 'customer-' || n, (array['en', 'ru', 'ar', 'he'])[1 + n % 4], 'Europe/Berlin', jsonb_build_object(
  'name', (array[
    'Anna', 'Seán O''Neil', 'Ace "The Deal" Lee', 'C:\temp\new', E'two\nlines\tand a tab', '😀 Zoë 👩‍👩‍👧',
    'Привет Жанна', 'مرحبا يا ليلى', 'שלום דנה', 'Tom & Jerry <b>'])[1 + n % 10])
from generate_series(1, 20000) n;

-- 2,500 a channel. Every 50th token is dead (2 %); every 500th device was retired already; every 1,000th has the
-- token of the one before it in its channel, as after a phone was sold.
insert into salvo.subscription (profile_id, channel_id, token, registered_at, state)
select p.id, h.id,
  -- "ab" first: other beginnings order delays and refusals from the stand-ins.
  case when k.place % 50 = 7 then 'dead' else 'ab' end || case h.provider
    when 'android-firebase' then repeat(k.hash, 4) || ':APA91b_-Zz'
    when 'ios-firebase' then repeat(k.hash, 4) || ':APA91c_-Zz'
    when 'ios-apns' then md5(k.hash) || substr(k.hash, 1, 30)
    when 'ios-appmetrica' then md5(k.hash) || substr(k.hash, 1, 30)
    when 'android-appmetrica' then k.hash::uuid::text
    when 'android-rustore' then substr(md5(k.hash) || k.hash, 1, 41) || '-_Zz'
    else repeat(k.hash, 3) end,
  now() - interval '90 days', case when k.place % 500 = 3 then 'retired' else 'active' end
from (
  select n, n / 8 as place, md5(:account || '-' || case when n / 8 % 1000 = 20 then n - 8 else n end) as hash
  from generate_series(0, 19999) n
) k
join salvo.channel h on h.account_id = :account and h.resource_id = 11 + k.n % 8
join salvo.profile p on p.account_id = :account and p.external_id = 'customer-' || (k.n + 1);
commit;
analyze salvo.profile, salvo.subscription;

\echo :account :campaign

-- Launches to topics and conditions, whose subscribers the provider finds itself.
set local role salvo_owner;

-- Makes the recipients of a launch with options.targets, one a target, as its plan begins: profile 0, numbered by their
-- place in the list. They are accounted like every other recipient; no subscription has that key.
create function salvo.add_targets(launch bigint) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  stranger bigint;
  added bigint;
begin
  if not exists (select from salvo.launch l where l.id = add_targets.launch and l.state = 'planning') then
    raise exception 'launch % is not being planned', launch using errcode = 'object_not_in_prerequisite_state';
  end if;
  select (t.target ->> 'channel_id')::bigint into stranger
  from salvo.launch l
  join salvo.campaign c on c.id = l.campaign_id
  cross join lateral pg_catalog.jsonb_array_elements(l.options -> 'targets') t(target)
  where l.id = add_targets.launch and not exists (
    select from salvo.channel h where h.id = (t.target ->> 'channel_id')::bigint and h.account_id = c.account_id)
  limit 1;
  if found then
    raise exception 'launch %: channel % of its targets is not one of its account''s', launch, stranger
      using errcode = 'insufficient_privilege';
  end if;
  insert into salvo.recipient (launch_id, channel_id, profile_id, subscription_id, variables)
  select l.id, (t.target ->> 'channel_id')::bigint, 0, t.number, t.target - 'channel_id'
  from salvo.launch l
  cross join lateral pg_catalog.jsonb_array_elements(l.options -> 'targets') with ordinality t(target, number)
  where l.id = add_targets.launch
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end
$$;

revoke all on function salvo.add_targets(bigint) from public;
grant execute on function salvo.add_targets(bigint) to salvo_runner;

reset role;

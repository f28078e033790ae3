-- Spreads the bulk tables over the nodes of a Citus cluster. For Citus alone, by hand, once: on the coordinator as
-- superuser, after `salvo migrate` and before any row is written.
--
-- Before it, on every node: `create extension citus`, and max_prepared_transactions not below max_connections, on the
-- coordinator too: whatever is copied into a distributed table is committed in two phases. Then, on the coordinator:
--   select citus_set_coordinator_host('COORDINATOR', 5432);
--   select citus_add_node('WORKER', 5432);  -- each of them
--
-- The tables of 0001_schema.sql that aren't named here are small and steer the work. They stay what they are, plain
-- tables of the coordinator. None may become a reference table: a statement that joins a reference table with a plain
-- one is refused, and every write to one takes locks on all nodes.

set citus.shard_count = 32;

-- One column decides where a row lives, and joins by it stay on their node: the person.
select create_distributed_table('salvo.profile', 'id');
select create_distributed_table('salvo.subscription', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.recipient', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.recipient_staging', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.delivery', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.late_evidence', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.inbox', 'profile_id', colocate_with => 'salvo.profile');
select create_distributed_table('salvo.inbox_event', 'profile_id', colocate_with => 'salvo.profile');

-- One connection and one prepared transaction a node, where the default takes one a shard: closing a window of 1,000
-- takes 12 ms instead of 390 (measured with 2 workers and 32 shards).
alter role salvo_runner set citus.multi_shard_modify_mode = 'sequential';

-- When a node dies between the two phases, a repeated write of the same keys waits until the first is decided: 5 s
-- instead of a minute.
alter system set citus.recover_2pc_interval = '5s';
select pg_reload_conf();

import Foundation
import Postgres
import Store
import Testing

/// What lets the same schema and the same statements run on one PostgreSQL and, distributed by the person, on several.
@Suite("Distribution", .database)
struct DistributionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  /// Column by which each bulk table is distributed.
  private static let bulk = [
    "profile": "id", "subscription": "profile_id", "recipient": "profile_id", "recipient_staging": "profile_id",
    "delivery": "profile_id", "late_evidence": "profile_id", "inbox": "profile_id", "inbox_event": "profile_id",
  ]

  /// Tables, partitions left out, of which the condition is true of `c`, their row of pg_class.
  private func names(_ condition: String, _ test: TestDatabase) async throws -> [String] {
    try await test.database.run { connection in
      try connection.execute(
        """
        select c.relname::text from pg_class c
        where c.relnamespace = 'salvo'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and (\(condition)) order by 1
        """
      ).compactMap { $0.text(0) }
    }
  }

  @Test("every unique key of a bulk table holds the person, in its partitions too, and no foreign key touches one")
  func keys() async throws {
    try await TestDatabase.with { test in
      _ = try await Migrator(test.database).migrate()
      let existing = try await names("true", test)
      #expect(Set(Self.bulk.keys).isSubset(of: existing))
      let keys = try await test.database.run { connection in
        try connection.execute(
          """
          select coalesce(p.relname, c.relname)::text, i.indexrelid::regclass::text,
            array_to_string(array(select a.attname from unnest(i.indkey) k
              join pg_attribute a on a.attrelid = c.oid and a.attnum = k), ' ')
          from pg_index i
          join pg_class c on c.oid = i.indrelid and c.relnamespace = 'salvo'::regnamespace
          left join pg_inherits h on h.inhrelid = c.oid
          left join pg_class p on p.oid = h.inhparent
          where i.indisunique
          """
        ).map { ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "") }
      }
      var seen: Set<String> = []
      for (table, index, columns) in keys {
        guard let column = Self.bulk[table] else { continue }
        seen.insert(table)
        #expect(columns.split(separator: " ").contains(Substring(column)), "\(index): \(columns)")
      }
      // The other two have no key at all.
      #expect(seen == Set(Self.bulk.keys).subtracting(["recipient_staging", "late_evidence"]))
      // recipient: 2 keys and delivery: 1, in the parent and in two partitions each.
      #expect(keys.count { $0.0 == "recipient" } == 6 && keys.count { $0.0 == "delivery" } == 3)

      let list = Self.bulk.keys.map { "'\($0)'" }.joined(separator: ", ")
      #expect(
        try await names(
          """
          c.relname in (\(list)) and exists (select from pg_constraint f
            where f.contype = 'f' and (f.conrelid = c.oid or f.confrelid = c.oid))
          """, test) == [])
      // Whatever else knows a person is small, and stays on the coordinator.
      #expect(
        try await names(
          """
          c.relname not in (\(list)) and exists (select from pg_attribute a
            where a.attrelid = c.oid and a.attname = 'profile_id')
          """, test) == ["settlement", "test_send"])
    }
  }

  /// Stands for Citus: takes what a cluster would take, and records it.
  private static let stub = """
    create table public.distributed (name text, by_column text, beside text);
    create function public.create_distributed_table(
      table_name regclass, distribution_column text, colocate_with text default 'default') returns void
    language plpgsql as $$
    begin
      if not exists (select from pg_attribute
        where attrelid = table_name and attname = distribution_column and attnum > 0) then
        raise 'column % of relation % does not exist', distribution_column, table_name;
      end if;
      if colocate_with <> 'default' and not exists (select from public.distributed
        where 'salvo.' || name = colocate_with) then
        raise 'relation % is not distributed', colocate_with;
      end if;
      insert into public.distributed
      values ((select relname from pg_class where oid = table_name), distribution_column, colocate_with);
    end
    $$;
    """

  @Test("citus.sql distributes exactly the bulk tables, by their columns, beside the people")
  func citus() async throws {
    let file = try String(contentsOf: Self.root.appending(path: "SQL/citus.sql"), encoding: .utf8)
    var statements = file.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
      .split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    // A setting of the cluster, which plain PostgreSQL doesn't know.
    #expect(
      statements.suffix(2) == ["alter system set citus.recover_2pc_interval = '5s'", "select pg_reload_conf()"])
    statements.removeLast(2)
    try await TestDatabase.with { test in
      _ = try await Migrator(test.database).migrate()
      let distributed = try await test.database.run { [statements] connection in
        try connection.script(Array(Self.stub.utf8))
        try connection.execute("begin")
        // The role's setting is the cluster's: it goes back with the transaction.
        defer { _ = try? connection.execute("rollback") }
        try connection.execute("set local search_path = public")
        for statement in statements { try connection.execute(statement) }
        return try connection.execute("select name, by_column, beside from distributed").map {
          [$0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? ""]
        }
      }
      #expect(Dictionary(uniqueKeysWithValues: distributed.map { ($0[0], $0[1]) }) == Self.bulk)
      #expect(distributed.map { $0[2] } == ["default"] + Array(repeating: "salvo.profile", count: 7))
    }
  }

  @Test("no statement of the program uses what a cluster refuses or what a session would have to keep")
  func statements() throws {
    let statements = try DistributedStatement.all(inFolder: Self.root.appending(path: "Sources/Store"))
    // So many are there at least, and these among them.
    #expect(statements.count > 100)
    for file in ["ChunkStore.swift", "WindowStore.swift", "LaunchPlan.swift", "WindowPlace.swift", "RateStore.swift"] {
      #expect(statements.contains { $0.file == file }, "\(file)")
    }
    for (file, statement) in statements {
      #expect(statement.sessionState == [], "\(file): \(statement.sql)")
      // `verify` is for people, and looks at one launch as nobody who sends ever does.
      if file != "LaunchAudit.swift" { #expect(statement.refusals == [], "\(file): \(statement.sql)") }
    }
  }

  @Test(
    "what a cluster refused when it was tried there is found",
    arguments: [
      "select id from salvo.subscription where profile_id = $1 for update skip locked",
      "select from salvo.recipient where launch_id = $1 for share",
      "update salvo.subscription set retired_at = clock_timestamp() where profile_id = $1",
      "insert into salvo.delivery select * from x on conflict do nothing",
      "insert into salvo.delivery (launch_id) values (1) returning now()",
      "with recursive r as (select 1) select * from salvo.delivery",
      "select u.p from unnest($1::bigint[]) u(p) where not exists (select from salvo.delivery d where d.profile_id = u.p)",
      "with w as (select 1 as p) select p from w where exists (select from salvo.delivery d where d.profile_id = w.p)",
      "select h.id from salvo.channel h where exists (select from salvo.recipient r where r.channel_id = h.id)",
      "select (select r.zone from salvo.recipient r where r.profile_id = f.profile_id) from salvo.final_outcome f",
      "select from salvo.final_outcome f where 2 > (select count(*) from salvo.delivery d where d.profile_id = f.profile_id)",
    ])
  func refused(sql: String) {
    #expect(DistributedStatement(sql: sql).refusals.count == 1)
  }

  @Test(
    "what a session would have to keep is found",
    arguments: [
      "listen salvo", "prepare a as select 1", "declare c cursor for select 1", "select pg_advisory_lock(1)",
      "select pg_try_advisory_lock(1)", "set statement_timeout = 0", "select set_config('a.b', 'c', false)",
      "create temporary table t (a int)", "select currval('salvo.send_window_serial')",
    ])
  func kept(sql: String) {
    #expect(DistributedStatement(sql: sql).sessionState.count == 1)
  }

  @Test(
    "what a cluster takes is let through",
    arguments: [
      "select exists (select from salvo.recipient where launch_id = $1 and channel_id = $2)",
      "select c.chunk_no from salvo.chunk c where c.launch_id = $1 for update skip locked",
      "update salvo.chunk set lease_until = clock_timestamp() where launch_id = $1 returning now()",
      "select d.profile_id from salvo.delivery d where not exists (select from salvo.recipient r where r.profile_id = d.profile_id)",
      "set local work_mem = '64MB'", "select pg_advisory_xact_lock($1)",
      "select set_config('synchronous_commit', 'on', true)",
    ])
  func taken(sql: String) {
    let statement = DistributedStatement(sql: sql)
    #expect(statement.refusals + statement.sessionState == [])
  }
}

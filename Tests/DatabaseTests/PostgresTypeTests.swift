import Base
import Postgres
import Testing

@Suite("Types through PostgreSQL", .database)
struct PostgresTypeTests {
  @Test("integers keep their extremes, and null is null")
  func integers() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      let row = try connection.execute(
        "select $1::int2, $2::int2, $3::int4, $4::int4, $5::int8, $6::int8, $7::int8",
        [.int2(.min), .int2(.max), .int4(.min), .int4(.max), .int8(.min), .int8(.max), .null])[0]
      #expect(
        (0..<7).map { row.int($0) }
          == [-32768, 32767, -2_147_483_648, 2_147_483_647, .min, .max, nil])
      #expect(row.text(0) == nil)
      #expect(row.int(7) == nil)
      #expect(row.int(-1) == nil)
    }
  }

  @Test(
    "the server sees the values that were meant",
    arguments: [
      (Parameter.int2(-2), "-2"), (.int4(65_536), "65536"), (.int8(9_007_199_254_740_993), "9007199254740993"),
      (.double(0.1), "0.1"), (.bool(true), "t"), (.bool(false), "f"), (.text("ü \u{1F680}"), "ü \u{1F680}"),
      (.text(""), ""), (.bytes([0, 255]), "\\x00ff"), (.bytes([]), "\\x"),
      (.json(#"{"b":1,"a":[]}"#), #"{"a": [], "b": 1}"#),
      (.timestamp(EpochMilliseconds(951_827_696_789)), "2000-02-29 12:34:56.789+00"),
      (.timestamp(EpochMilliseconds(-1)), "1969-12-31 23:59:59.999+00"),
      (.timestamp(EpochMilliseconds(.max)), "infinity"), (.timestamp(EpochMilliseconds(.min)), "-infinity"),
      (.int8Array([.min, 0, .max]), "{-9223372036854775808,0,9223372036854775807}"), (.int8Array([]), "{}"),
      (.textArray(["a", "", "q\"\\,{}", "\u{1F680}"]), #"{a,"","q\"\\,{}",🚀}"#), (.textArray([]), "{}"),
    ] as [(Parameter, String)])
  func parameter(value: Parameter, text: String) throws {
    let connection = try Connection(
      conninfo: "\(TestDatabase.server) options='-c timezone=UTC'", applicationName: "salvo-test")
    #expect(try connection.execute("select format('%s', $1)", [value])[0].text(0) == text)
  }

  @Test("what the server holds is read as it is")
  func reading() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      let row = try connection.execute(
        """
        select 1.5::float8, 0.25::float4, true, false, 'a'::varchar, 'b '::char(2), 'c'::name, '{"a": 1}'::jsonb,
          '{"a":1}'::json, '\\x00ff'::bytea, timestamptz '2000-02-29 12:34:56.7899+00',
          timestamptz '1999-12-31 23:59:59.9999+00', '\\x'::bytea, ''::text, E'\\x01'::text, 4294967295::oid,
          null::text, null::jsonb, null::timestamptz
        """)[0]
      #expect(row.double(0) == 1.5)
      #expect(row.double(1) == 0.25)
      #expect(row.bool(2) == true)
      #expect(row.bool(3) == false)
      #expect((4..<9).map { row.text($0) } == ["a", "b ", "c", #"{"a": 1}"#, #"{"a":1}"#])
      #expect(row.bytes(9) == [0, 255])
      // Microseconds are rounded down, before 2000 too.
      #expect(row.timestamp(10) == EpochMilliseconds(951_827_696_789))
      #expect(row.timestamp(11) == EpochMilliseconds(946_684_799_999))
      #expect(row.bytes(12) == [])
      #expect(row.text(13) == "")
      #expect(row.text(14) == "\u{1}")
      #expect(row.int(15) == 4_294_967_295)
      #expect(row.text(16) == nil)
      #expect(row.bytes(17) == nil)
      #expect(row.timestamp(18) == nil)
      // Asked for as something else.
      #expect(row.int(0) == nil)
      #expect(row.double(2) == nil)
      #expect(row.bool(0) == nil)
      #expect(row.timestamp(4) == nil)
      #expect(row.bytes(7) == Array(#"{"a": 1}"#.utf8))
    }
  }

  @Test("infinity is further away than any date and can be written back")
  func infinity() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      let row = try connection.execute("select timestamptz 'infinity', timestamptz '-infinity'")[0]
      let latest = try #require(row.timestamp(0))
      let earliest = try #require(row.timestamp(1))
      #expect(latest > EpochMilliseconds(9_224_318_016_000_000 - 1_000_000_000))
      let back = try connection.execute(
        "select $1 = 'infinity'::timestamptz, $2 = '-infinity'::timestamptz",
        [.timestamp(latest), .timestamp(earliest)])[0]
      #expect(back.bool(0) == true)
      #expect(back.bool(1) == true)
    }
  }

  @Test("any text a provider may answer can be stored once it is tidy")
  func tidyText() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      let everyByte = PostgresText.tidy((0...255).map { UInt8($0) } + (0...255).map { UInt8($0) })
      let row = try connection.execute("select $1::text, octet_length($1::text)", [.text(everyByte)])[0]
      #expect(row.text(0) == everyByte)
      // Twice 127 ASCII bytes without NUL, and 128 bytes of which none stands for a character: U+FFFD each, 3 bytes.
      #expect(row.int(1) == 1022)
    }
  }

  @Test("a statement tells how many rows it touched, and its rows in order")
  func affected() async throws {
    try await TestDatabase.with { test in
      let connection = try test.connect()
      #expect(try connection.execute("create table public.t (a int8 primary key, b text)").affected == 0)
      #expect(try connection.execute("insert into public.t select g, 'x' from generate_series(1, 7) g").affected == 7)
      #expect(try connection.execute("update public.t set b = 'y' where a > $1", [.int8(4)]).affected == 3)
      #expect(try connection.execute("delete from public.t where a = any($1)", [.int8Array([1, 2, 99])]).affected == 2)
      let rows = try connection.execute("select a from public.t where b = any($1) order by a", [.textArray(["y"])])
      #expect(rows.map { $0.int(0) } == [5, 6, 7])
      #expect(try connection.execute("select a from public.t where false").isEmpty)
    }
  }
}

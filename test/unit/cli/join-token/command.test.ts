import assert from "node:assert/strict";
import { parse } from "yaml";
import { program } from "../../../../cli/join-token/command";
import { formats, render } from "../../../../cli/join-token/formats";
import { renderList } from "../../../../cli/join-token/list";
import { noColour } from "../../../../cli/status/render/table";
import { paths } from "../../../../cluster/paths";
import { UsageError } from "../../../../command-line/parse";
import { config, file } from "../../../../ignition";

describe("tradewind join-token", () => {
    const wrong: [string[], RegExp][] = [
        [[], /^missing NODE/],
        [["rack-1"], /^missing --pool/],
        [["rack-1", "--pool", "a"], /^missing --address/],
        [["rack-1", "rack-2"], /^unexpected argument rack-2/],
        [["rack-1", "--list"], /^--list and NODE are mutually exclusive$/],
        [["--list", "--revoke"], /^--list and --revoke are mutually exclusive$/],
        [["--list", "--pool", "a"], /^--list and --pool are mutually exclusive$/],
        [["--list", "--format", "butane"], /^--list and --format are mutually exclusive$/],
        [["rack-1", "--revoke", "--expires", "5m"], /^--revoke and --expires are mutually exclusive$/],
        [["rack-1", "--expires", "4m"], /^--expires must be a duration from 5m to 12h, such as 10m \(got 4m\)/],
        [["rack-1", "--expires", "13h"], /^--expires must be a duration from 5m to 12h, such as 10m \(got 13h\)/],
        [["rack-1", "--format", "json"], /^--format must be command, cloud-init, butane or ignition \(got json\)/],
    ];
    for (const [args, message] of wrong) {
        it(`is refused: ${args.join(" ") || "without arguments"}`, async () => {
            await assert.rejects(
                async () => program.run(args),
                (error: unknown) => error instanceof UsageError && message.test(error.message),
            );
        });
    }

    it("prints each format as what it is", () => {
        const own = config({ files: [file("/etc/a", "b\n")] });
        const [command, cloudInit, butane, ignition] = formats.map((format) => render(format, own, "c"));
        assert.match(command!, /^#!\/bin\/sh\n# Makes this machine a node of c\.\n/);
        assert.match(cloudInit!, /^#cloud-config\n/);
        assert.deepEqual(JSON.parse(ignition!), own);
        const { variant, version, ignition: parts } = parse(butane!);
        assert.deepEqual([variant, version], ["fcos", "1.5.0"]);
        const inner = { ...own, ignition: { version: "3.4.0" } };
        assert.deepEqual(JSON.parse(parts.config.merge[0].inline), inner);
    });

    it("prints no comments, and compresses files only of a config that is too long for user-data", () => {
        const script = `#!/bin/sh\n# Why.\n${"echo some text\n".repeat(10)}`;
        const shown = (count: number) => {
            const files = Array.from({ length: count }, (_, index) => file(`${paths.bin}/tool-${index}`, script));
            return formats.slice(1).map((format) => render(format, config({ files }), "c"));
        };
        for (const text of shown(2)) assert.doesNotMatch(text, /Why|gzip|gz\+b64/);
        for (const text of shown(600)) {
            assert.match(text, /gzip|gz\+b64/);
        }
    });

    it("lists machines that may join, and those that did", () => {
        const machine = { pool: "a", addresses: ["10.0.0.9"], token: "abcdef", expires: "2030-01-01T01:00:00Z" };
        const machines = {
            "rack-3": { ...machine, expires: "2029-12-31T01:00:00Z" },
            "rack-2": { ...machine, key: "k", joined: "2030-01-01T00:10:00Z" },
            "rack-1": machine,
        };
        const text = renderList(machines, noColour, Date.parse("2030-01-01T00:30:00Z"));
        assert.deepEqual(text.split("\n"), [
            "NODE    POOL  ADDRESS   STATE",
            "rack-1  a     10.0.0.9  may join until 2030-01-01 01:00:00 UTC",
            "rack-2  a     10.0.0.9  joined 2030-01-01 00:10:00 UTC",
            "rack-3  a     10.0.0.9  expired 2029-12-31 01:00:00 UTC",
        ]);
        assert.equal(renderList({}, noColour), "no machine may join, and none did");
    });
});

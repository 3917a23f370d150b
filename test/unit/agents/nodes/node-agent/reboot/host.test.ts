import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Host } from "../../../../../../agents/nodes/node-agent/reboot/host";

describe("a machine's boot state", () => {
    let folder: string;
    let host: Host;
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "host-"));
        host = new Host(folder);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is empty if the node config does not support reboots", () => {
        assert.equal(host.boot(), undefined);
        write("reboot-requested", "");
        assert.equal(host.isRebootRequested(), false);
    });

    it("includes a requested reboot only if it was requested in this boot", () => {
        write("boot", "one\n");
        assert.equal(host.isRebootRequested(), false);
        write("reboot-requested", "one\n");
        assert.equal(host.isRebootRequested(), true);
        write("boot", "two\n");
        assert.equal(host.isRebootRequested(), false);
    });

    it("takes a reboot request for the current boot, which can be withdrawn", () => {
        host.reboot("one");
        assert.equal(readFileSync(join(folder, "reboot"), "utf8"), "one\n");
        host.recall();
        host.recall();
        assert.ok(!existsSync(join(folder, "reboot")));
    });

    it("takes no second request once the reboot has begun, unless that failed", () => {
        write("reboot-taken", "one\n");
        host.reboot("one");
        assert.ok(!existsSync(join(folder, "reboot")));
        host.reboot("two");
        assert.ok(existsSync(join(folder, "reboot")));
        host.recall();
        host.reboot("one");
        assert.ok(existsSync(join(folder, "reboot")));
        host.recall();
        assert.ok(!existsSync(join(folder, "reboot")));
    });
});

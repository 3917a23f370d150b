import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Host } from "../../../../../../agents/nodes/node-agent/reboot/host";

describe("what a machine tells of its boots", () => {
    let folder: string;
    let host: Host;
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "host-"));
        host = new Host(folder);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is nothing where the node config knows of no reboots", () => {
        assert.equal(host.boot(), undefined);
        write("reboot-wanted", "");
        assert.equal(host.isRebootWanted(), false);
    });

    it("is that a reboot is wanted if that was said in this boot", () => {
        write("boot", "one\n");
        assert.equal(host.isRebootWanted(), false);
        write("reboot-wanted", "one\n");
        assert.equal(host.isRebootWanted(), true);
        write("boot", "two\n");
        assert.equal(host.isRebootWanted(), false);
    });

    it("is asked to reboot by the boot that is to end, which can be taken back", () => {
        host.reboot("one");
        assert.equal(readFileSync(join(folder, "reboot"), "utf8"), "one\n");
        host.recall();
        host.recall();
        assert.ok(!existsSync(join(folder, "reboot")));
    });

    it("is not asked again when it has begun, unless that came to nothing", () => {
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

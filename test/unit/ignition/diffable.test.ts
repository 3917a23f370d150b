import assert from "node:assert/strict";
import { config, diffable, directory, dropin, file, group, link, remoteFile, unit, user } from "../../../ignition";

describe("diffable", () => {
    it("shows what a person can read, by path and name", () => {
        const value = config({
            files: [
                file("/etc/x", "hello\n", { mode: 0o600, gzip: true, user: "core" }),
                file("/bin/y", Buffer.from([0xff, 0])),
                remoteFile("/opt/z", "https://x/z", { sha256: "ab".repeat(32) }),
            ],
            directories: [directory("/var/d", { mode: 0o700 })],
            links: [link("/l", "/t")],
            units: [
                unit("a.service", { enabled: true, contents: "[Unit]\n", dropins: [dropin("1.conf", "[Service]\n")] }),
                unit("b.service", { mask: true }),
                unit("c.service", { enabled: false }),
            ],
            users: [user("core", { uid: 500 })],
            groups: [group("ops")],
        });
        assert.deepEqual(diffable({ ...value, kernelArguments: { shouldExist: ["quiet"] } }), {
            "/etc/x": "mode 0600 owner core:root\nhello\n",
            "/bin/y": "mode 0644\n2 bytes, sha256 ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f\n",
            "/opt/z": `mode 0644\nfrom https://x/z (sha256-${"ab".repeat(32)})\n`,
            "/var/d/": "mode 0700\n",
            "/l": "link to /t\n",
            "a.service": "enabled\n[Unit]\n",
            "a.service.d/1.conf": "[Service]\n",
            "b.service": "masked\n",
            "c.service": "disabled\n",
            "user core": '{\n  "uid": 500\n}\n',
            "group ops": "{}\n",
            kernelArguments: '{\n  "shouldExist": [\n    "quiet"\n  ]\n}\n',
        });
    });
});

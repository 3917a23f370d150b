import assert from "node:assert/strict";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    readlinkSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpack } from "../../../../../agents/boot/receiver/assets";
import type { ReceiverPlan } from "../../../../../agents/boot/receiver/plan";
import type { BundleEntry } from "../../../../../ignition";

const file = (path: string, text: string, mode?: number): BundleEntry => ({
    path,
    contents: Buffer.from(text).toString("base64"),
    ...(mode !== undefined && { mode }),
});

describe("the assets of a bootstrap", () => {
    let root: string;
    const plan = (): ReceiverPlan => ({
        apiServer: "https://api.c.example:6443",
        root,
        port: 0,
        ca: "/ca.crt",
        cert: "/tls.crt",
        key: "/tls.key",
        state: "/var/lib/tradewind/bootstrap",
        staticPods: "/etc/kubernetes/manifests",
        kubeconfig: "/var/lib/kubelet/kubeconfig",
    });
    const entries = [
        file("/etc/kubernetes/manifests/etcd.json", "{}", 0o600),
        { path: "/etc/kubernetes/pki/etcd/", mode: 0o700 },
        file("/etc/kubernetes/pki/etcd/ca.crt", "ca", 0o600),
        { path: "/var/lib/kubelet/pki/current.pem", link: "/var/lib/kubelet/pki/first.pem" },
    ];

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-unpack-"));
        mkdirSync(join(root, "etc/kubernetes/manifests"), { recursive: true, mode: 0o700 });
        mkdirSync(join(root, "var/lib/kubelet"), { recursive: true });
        writeFileSync(join(root, "var/lib/kubelet/kubeconfig"), "of a cluster that is gone");
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("are installed with their modes, and then the units to start are listed", () => {
        unpack({ entries, units: ["bootstrap.service", "other.path"] }, plan());
        const at = (path: string) => join(root, path);
        assert.equal(readFileSync(at("etc/kubernetes/pki/etcd/ca.crt"), "utf8"), "ca");
        assert.equal(statSync(at("etc/kubernetes/pki/etcd/ca.crt")).mode & 0o777, 0o600);
        assert.equal(statSync(at("etc/kubernetes/pki/etcd")).mode & 0o777, 0o700);
        assert.equal(readlinkSync(at("var/lib/kubelet/pki/current.pem")), "/var/lib/kubelet/pki/first.pem");
        assert.deepEqual(readdirSync(at("etc/kubernetes/manifests")), ["etcd.json"]);
        assert.equal(existsSync(at("var/lib/kubelet/kubeconfig")), false);
        const said = readFileSync(at("var/lib/tradewind/bootstrap/unpacked"), "utf8");
        assert.equal(said, "bootstrap.service\nother.path\n");
    });

    it("do not count as installed if they are not, and static pods come last", () => {
        // A folder blocks the last file that is not a static pod.
        mkdirSync(join(root, "etc/blocked/inside"), { recursive: true });
        assert.throws(() => unpack({ entries: [...entries, file("/etc/blocked", "x")], units: [] }, plan()));
        assert.equal(existsSync(join(root, "var/lib/tradewind/bootstrap/unpacked")), false);
        assert.deepEqual(readdirSync(join(root, "etc/kubernetes/manifests")), []);
    });

    it("may be installed again after a killed run", () => {
        unpack({ entries, units: ["a.service"] }, plan());
        unpack({ entries, units: ["a.service"] }, plan());
        assert.deepEqual(readdirSync(join(root, "etc/kubernetes")).sort(), ["manifests", "pki"]);
    });
});

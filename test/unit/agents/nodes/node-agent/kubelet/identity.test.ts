import assert from "node:assert/strict";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Identity } from "../../../../../../agents/nodes/node-agent/kubelet/identity";
import { Authority } from "../../../boot/receiver/authority";

describe("a kubelet's certificates and CAs", () => {
    let first: Authority;
    let second: Authority;
    let namesake: Authority;
    let folder: string;
    const path = (file: string) => join(folder, "pki", file);
    const current = "kubelet-client-current.pem";
    const server = "kubelet-server-current.pem";
    const previous = "kubelet-client-previous.pem";
    const identity = (more: object = {}, node = "c-a-0") =>
        new Identity(
            {
                authorities: ["kubernetes-ca", "kubernetes-ca-2"],
                issuer: "kubernetes-ca-2",
                asksForServer: false,
                apiServer: "https://api.test:6443",
                otherApiServers: { "c-controller-0": "https://127.0.0.1:6443" },
                directory: join(folder, "pki"),
                ...more,
            },
            join(folder, "ca.crt"),
            node,
        );
    const publish = (...authorities: Authority[]) =>
        writeFileSync(join(folder, "ca.crt"), authorities.map(({ ca }) => ca).join(""));
    /** Like the kubelet: a file with a timestamp, and a link to it. */
    const give = (file: string, authority: Authority) => {
        const { cert, key } = authority.client("system:nodes", "system:node:c-a-0");
        const kept = path(file.replace("current", String(process.hrtime.bigint())));
        writeFileSync(kept, `${cert}${key}`);
        rmSync(path(file), { force: true });
        symlinkSync(kept, path(file));
        return `${cert}${key}`;
    };
    const read = (file: string) => readFileSync(path(file), "utf8");

    before(() => {
        [first, second, namesake] = [
            new Authority("kubernetes-ca"),
            new Authority("kubernetes-ca-2"),
            new Authority("kubernetes-ca-2"),
        ];
    });
    after(() => {
        for (const authority of [first, second, namesake]) authority.remove();
    });
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "identity-"));
        mkdirSync(join(folder, "pki"));
        publish(first, second);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("are not changed before the cluster has published exactly the CAs to trust", () => {
        assert.equal(identity().lack(), undefined);
        publish(second, first);
        assert.equal(identity().lack(), undefined);
        publish(first);
        assert.equal(
            identity().lack(),
            "kube-root-ca.crt has the CAs kubernetes-ca, not yet kubernetes-ca, kubernetes-ca-2",
        );
        publish(second);
        assert.throws(() => identity().prepare(), /not yet kubernetes-ca, kubernetes-ca-2$/);
        assert.ok(!existsSync(path("authorities.crt")));
        publish(first, second);
        assert.match(identity({ authorities: ["kubernetes-ca-2"] }).lack()!, /not yet kubernetes-ca-2$/);
    });

    it("are recognized by their issuer, even if another one has the same name", () => {
        assert.equal(identity().issuance(), "awaited");
        give(current, first);
        assert.equal(identity().issuance(), "others");
        assert.equal(identity({ issuer: "kubernetes-ca" }).issuance(), "desired");
        give(current, second);
        assert.equal(identity().issuance(), "desired");
        give(current, namesake);
        assert.equal(identity().issuance(), "others");
    });

    it("count as missing if they are damaged, as after a power cut", () => {
        for (const text of ["", give(current, second).slice(0, 300), "noise"]) {
            writeFileSync(path(current), text);
            assert.equal(identity().issuance(), "awaited");
        }
    });

    it("include the server certificate if the kubelet requests one", () => {
        give(current, second);
        assert.equal(identity({ asksForServer: true }).issuance(), "awaited");
        give(server, first);
        assert.equal(identity({ asksForServer: true }).issuance(), "others");
        assert.equal(identity().issuance(), "desired");
        identity({ asksForServer: true }).layAside();
        assert.ok(!existsSync(path(server)) && existsSync(path(current)));
    });

    it("keep a certificate from the issuing CA when other CAs are trusted", () => {
        const pem = give(current, first);
        const kept = identity({ issuer: "kubernetes-ca" });
        kept.prepare();
        kept.layAside();
        assert.equal(read(current), pem);
        assert.equal(read("authorities.crt"), `${first.ca}${second.ca}`);
        const { clusters, users } = JSON.parse(read("kubeconfig"));
        assert.deepEqual(clusters[0].cluster, {
            server: "https://api.test:6443",
            "certificate-authority": path("authorities.crt"),
        });
        assert.deepEqual(users[0].user, { "client-certificate": path(current), "client-key": path(current) });
        assert.ok(!existsSync(path("bootstrap-kubeconfig")));
    });

    it("are moved aside if they are from another CA, and used to request new ones", () => {
        const pem = give(current, first);
        identity().prepare();
        // A kubelet that starts now is the same as before.
        assert.equal(read(current), pem);
        identity().layAside();
        assert.ok(!existsSync(path(current)));
        assert.equal(identity().issuance(), "awaited");
        assert.equal(read(previous), pem);
        assert.equal(statSync(path(previous)).mode & 0o777, 0o600);
        const { clusters, users } = JSON.parse(read("bootstrap-kubeconfig"));
        assert.equal(clusters[0].cluster["certificate-authority"], path("authorities.crt"));
        assert.equal(users[0].user["client-key"], path(previous));
        // A second time, as after a power cut, nothing more happens.
        identity().prepare();
        identity().layAside();
        assert.equal(read(previous), pem);
    });

    it("are restored only if no new ones were issued", () => {
        const pem = give(current, first);
        identity().prepare();
        identity().layAside();
        identity().restore();
        assert.equal(read(current), pem);
        const next = give(current, second);
        identity().restore();
        assert.equal(read(current), next);
    });

    it("use the controller's own API, on the controller if there was no other", () => {
        identity({}, "c-controller-0").prepare();
        assert.equal(JSON.parse(read("kubeconfig")).clusters[0].cluster.server, "https://127.0.0.1:6443");
    });
});

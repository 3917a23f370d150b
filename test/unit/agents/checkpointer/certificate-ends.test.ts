import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateEnds } from "../../../../agents/checkpointer/certificate-ends";
import { certificatesOf } from "../../../../clients/certificates";
import { kubeconfig } from "../../../../cluster/kubeconfig";
import { certificates } from "../boot/bootstrap/certificates";

describe("the expiry of a controller's certificates", () => {
    let root: string;
    let ends: CertificateEnds;
    const { ca, server, admin } = certificates();
    const [end] = certificatesOf(server.cert).map(({ validTo }) => Date.parse(validTo) / 1000);
    const file = (path: string, text: string) => ({ path, mode: 0o400, uid: 0, gid: 0, content: Buffer.from(text) });
    const names = () => ends.all().map(({ holder, file: name }) => `${holder} ${name}`);

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "certificate-ends-"));
        mkdirSync(join(root, "pki/etcd"), { recursive: true });
        ends = new CertificateEnds({ credentials: { ca: join(root, "pki/ca.crt"), client: join(root, "client.pem") } });
    });
    afterEach(() => rmSync(root, { recursive: true }));

    it("is that of running pods, whose kubeconfigs have certificates too", () => {
        const access = kubeconfig({ cluster: "c", server: "https://c", ca, user: "u", credentials: admin });
        const files = { credentials: [file("apiserver.crt", server.cert), file("apiserver.key", server.key)] };
        ends.note(
            new Map([
                ["kube-system/kube-apiserver", { generation: "1", files }],
                ["kube-system/kube-scheduler", { generation: "1", files: { c: [file("kubeconfig", access)] } }],
            ]),
        );
        assert.deepEqual(ends.all()[0], { holder: "kube-apiserver", file: "apiserver.crt", end });
        assert.deepEqual(names(), ["kube-apiserver apiserver.crt", "kube-scheduler kubeconfig"]);
    });

    it("is that of the newest generation of a pod", () => {
        const note = (generation: string, name: string) => {
            const files = { credentials: [file(name, server.cert)] };
            ends.note(new Map([["kube-system/kube-apiserver", { generation, files }]]));
        };
        note("1", "old.crt");
        note("2", "new.crt");
        ends.note(new Map());
        assert.deepEqual(names(), ["kube-apiserver new.crt"]);
    });

    it("includes etcd's and the kubelet's, but not keys or files without a certificate", () => {
        writeFileSync(join(root, "pki/ca.crt"), ca + server.cert);
        writeFileSync(join(root, "pki/etcd/member.crt"), server.cert);
        writeFileSync(join(root, "pki/etcd/member.key"), server.key);
        writeFileSync(join(root, "pki/etcd/broken.crt"), "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----");
        writeFileSync(join(root, "client.pem"), admin.cert + admin.key);
        assert.deepEqual(names(), ["pki ca.crt", "pki etcd/member.crt", "kubelet client.crt"]);
    });
});

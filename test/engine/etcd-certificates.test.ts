import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EtcdCertificatesPlan } from "../../agents/etcd-certificates/plan";
import { renewCertificate } from "../../agents/etcd-certificates/renew";
import { paths } from "../../components/nodes/paths";
import { EtcdAuthority } from "./etcd-join/certificates";
import { EtcdCluster } from "./etcd-join/cluster";

describe("etcd-certificates, with a real etcd", function () {
    this.timeout(60_000);
    const cluster = new EtcdCluster();
    const { first } = cluster;
    const source = join(first.folder, "new");
    const pki = first.path(paths.etcdPki);
    const plan: EtcdCertificatesPlan = {
        name: first.machine.name,
        url: `https://${first.machine.address}:2379`,
        pki,
        timeoutSeconds: 10,
    };
    const offer = (cert: string) => writeFileSync(join(source, "member.crt"), cert);
    const onDisk = () => readFileSync(join(pki, "member.crt"), "utf8");

    before(async () => {
        mkdirSync(source, { recursive: true });
        await cluster.start();
        await cluster.put("before", "kept");
    });
    after(() => cluster.remove());

    it("has a member go on with another certificate for its key, without a restart", async () => {
        const { pid } = first.kubelet;
        const renewed = cluster.renew(first);
        assert.notEqual(new X509Certificate(renewed).serialNumber, new X509Certificate(onDisk()).serialNumber);
        offer(renewed);
        const told: string[] = [];
        await renewCertificate(plan, source, (message) => told.push(message));
        assert.match(told.join("\n"), /has another certificate, until 20.*\n.* shows it$/);
        assert.equal(onDisk(), renewed);
        assert.equal(first.kubelet.pid, pid);
        assert.equal(await cluster.ownValue(first, "before"), "kept");
    });

    it("changes nothing the second time", async () => {
        const told: string[] = [];
        await renewCertificate(plan, source, (message) => told.push(message));
        assert.match(told[0]!, /has the certificate already$/);
    });

    it("leaves the member as it is rather than give it one for another key, or of another authority", async () => {
        const before = onDisk();
        offer(cluster.controllers[1]!.certificate.cert);
        await assert.rejects(
            renewCertificate(plan, source, () => {}),
            /must be for the key that c-controller-0 has/,
        );
        const other = new EtcdAuthority();
        offer(other.renew(first.machine.name, first.certificate.key));
        other.remove();
        await assert.rejects(
            renewCertificate(plan, source, () => {}),
            /must be of the authority that c-controller-0/,
        );
        assert.equal(onDisk(), before);
    });
});

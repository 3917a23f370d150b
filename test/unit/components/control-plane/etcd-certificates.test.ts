import assert from "node:assert/strict";
import { planProblems } from "../../../../agents/etcd-certificates/read-plan";
import {
    etcdCertificateConfig,
    etcdCertificateFiles,
    etcdCertificateJob,
    etcdCertificatesProgram,
} from "../../../../components/control-plane/etcd-certificates";
import { fakeCredentials, fixedCluster, podSpecOf } from "../fixture";

const cluster = fixedCluster({ controllers: { count: 3 }, certificates: { generation: 2 } });
const node = cluster.controllers.names[1]!;
const program = etcdCertificatesProgram("text");
const job = etcdCertificateJob(cluster, node, program);

describe("the Job that gives a member its new certificate", () => {
    it("is told what is on its machine, and has no key", () => {
        const files = etcdCertificateFiles(node, fakeCredentials(cluster));
        assert.deepEqual(planProblems(JSON.parse(files["plan.json"]!)), []);
        assert.deepEqual(Object.keys(files), ["plan.json", "member.crt"]);
        assert.doesNotMatch(JSON.stringify(files), /PRIVATE KEY/);
        assert.match(files["member.crt"]!, /etcd member c-controller-1\n/);
    });

    it("is another one for each generation, and runs on its member's machine alone, as root without rights", () => {
        assert.equal(job.metadata.name, "etcd-certificates-c-controller-1-2");
        const spec = podSpecOf(job)!;
        assert.deepEqual(spec.nodeSelector, { "kubernetes.io/hostname": node });
        assert.equal(spec.automountServiceAccountToken, false);
        const [container] = spec.containers as { securityContext: { capabilities: object } }[];
        assert.deepEqual(container!.securityContext.capabilities, { drop: ["ALL"] });
    });

    it("mounts what is made for it", () => {
        const [mounted, source] = podSpecOf(job)!.volumes as { configMap: { name: string } }[];
        assert.equal(mounted!.configMap.name, program.metadata.name);
        assert.equal(source!.configMap.name, etcdCertificateConfig(node, {}).metadata.name);
    });
});

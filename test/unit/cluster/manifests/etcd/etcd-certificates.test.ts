import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/etcd/certificates/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import {
    etcdCertificateConfig,
    etcdCertificateFiles,
    etcdCertificateJob,
    etcdCertificatesPlan,
    etcdCertificatesProgram,
    hasOtherEtcdCertificates,
} from "../../../../../cluster/manifests/etcd/etcd-certificates";
import { etcdStaticPod } from "../../../../../cluster/manifests/etcd/member";
import { fakeCredentials, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";

const cluster = fixedCluster({ controllers: { count: 3 }, certificates: { generation: 2 } });
const node = cluster.controllers.names[1]!;
const program = etcdCertificatesProgram("text");
const job = etcdCertificateJob(cluster, node, program);

describe("the Job that gives a member its new certificate", () => {
    it("gets the paths on its machine, and no key", () => {
        const files = etcdCertificateFiles(cluster, node, fakeCredentials(cluster));
        assert.deepEqual(planProblems(JSON.parse(files["plan.json"]!), planSchema), []);
        assert.deepEqual(Object.keys(files), ["plan.json", "ca.crt", "member.crt"]);
        assert.doesNotMatch(JSON.stringify(files), /PRIVATE KEY/);
        assert.match(files["member.crt"]!, /etcd member c-controller-1\n/);
        assert.match(files["ca.crt"]!, /etcd CA\n/);
    });

    it("exists only if a certificate or CA differs from the initial one", () => {
        assert.equal(hasOtherEtcdCertificates(fixedCluster()), false);
        assert.equal(hasOtherEtcdCertificates(cluster), true);
        assert.equal(hasOtherEtcdCertificates(fixedCluster({ keys: { etcdCa: [1, 2] } })), true);
    });

    it("is another Job for each list of CAs, which it records in the member's static pod", () => {
        const other = fixedCluster({ keys: { etcdCa: [2, 1] } });
        assert.equal(
            etcdCertificateJob(other, "c-controller-0", program).metadata.name,
            "etcd-certificates-c-controller-0-1-by-2-1",
        );
        const { annotation, staticPod } = etcdCertificatesPlan(other, "c-controller-0");
        const machine = { name: "c-controller-0", address: "10.0.0.11" };
        const pod = etcdStaticPod(other, { machine, initialCluster: "", initialClusterState: "new" });
        assert.deepEqual(pod.metadata.annotations, { [annotation.name]: annotation.value });
        assert.equal(etcdCertificatesPlan(cluster, node).annotation.value, undefined);
        assert.equal(staticPod, "/etc/kubernetes/manifests/etcd.json");
    });

    it("is another Job for each generation, and runs only on its member's machine, as root without capabilities", () => {
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

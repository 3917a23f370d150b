import assert from "node:assert/strict";
import { initialClusterPlaceholder, planSchema } from "../../../../../agents/etcd/join/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import { withUid } from "../../../../../clients/kubernetes/pods";
import { placeholderCredentials } from "../../../../../cluster/manifests/control-plane/placeholder";
import {
    etcdJoinDeployment,
    etcdJoinPlan,
    etcdJoinProgram,
    etcdMemberFiles,
    etcdMemberSecret,
} from "../../../../../cluster/manifests/etcd/etcd-join";
import { etcdStaticPod } from "../../../../../cluster/manifests/etcd/member";
import { resolveCluster } from "../../../../../cluster/resolve";

const cluster = resolveCluster({ name: "c", controllers: { count: 3 } });
const machines = cluster.controllers.names.map((name, index) => ({ name, address: `10.0.0.${11 + index}` }));
const [first, second, third] = machines as [Machine, Machine, Machine];
type Machine = (typeof machines)[number];

const program = etcdJoinProgram("text");
const { template } = etcdJoinDeployment(cluster, second.name, program).spec as { template: { spec: RenderedPod } };
const pod = template.spec;
const [container] = pod.initContainers;

interface RenderedPod {
    readonly nodeSelector: object;
    readonly tolerations: object[];
    readonly hostNetwork: boolean;
    readonly containers: [{ readonly image: string; readonly volumeMounts?: object }];
    readonly initContainers: [
        { readonly command: string[]; readonly volumeMounts: { name: string; mountPath: string }[] },
    ];
    readonly volumes: { readonly name: string; readonly hostPath?: { path: string }; readonly configMap?: object }[];
}

describe("the plan of a further controller", () => {
    const plan = etcdJoinPlan(cluster, second, [first, third]);

    it("is one that the agent accepts", () => assert.deepEqual(planProblems(plan, planSchema), []));

    it("contacts the other controllers, never this one", () => {
        assert.deepEqual(plan.endpoints, ["https://10.0.0.11:2379", "https://10.0.0.13:2379"]);
    });

    it("runs the very static pod of a first controller, but for how it starts", () => {
        const start = { initialCluster: initialClusterPlaceholder, initialClusterState: "new" as const };
        const text = JSON.stringify(etcdStaticPod(cluster, { machine: second, ...start }));
        const existing = JSON.parse(text.replace("cluster-state=new", "cluster-state=existing"));
        assert.deepEqual(plan.staticPod, withUid(existing));
    });
});

describe("the Secret of a further controller", () => {
    const credentials = {
        ...placeholderCredentials(cluster),
        etcdCa: { cert: "etcd CA", key: "CA key" },
        etcdMembers: Object.fromEntries(
            machines.map(({ name }) => [name, { cert: `${name} cert`, key: `${name} key` }]),
        ),
    };
    const files = etcdMemberFiles(etcdJoinPlan(cluster, second, [first, third]), credentials);

    it("contains its own certificate, and no other keys", () => {
        const { "plan.json": plan, ...certificates } = files;
        assert.deepEqual(certificates, {
            "ca.crt": "etcd CA",
            "member.crt": "c-controller-1 cert",
            "member.key": "c-controller-1 key",
        });
        assert.equal(JSON.parse(plan!).name, "c-controller-1");
    });

    it("encodes them for the API", () => {
        const { metadata, data } = etcdMemberSecret(second.name, files);
        assert.equal(metadata.name, "etcd-member-c-controller-1");
        assert.equal(Buffer.from((data as Record<string, string>)["ca.crt"]!, "base64").toString(), "etcd CA");
    });
});

describe("the agent's ConfigMap", () => {
    it("has a name that changes with the text", () => {
        assert.equal(program.metadata.name, etcdJoinProgram("text").metadata.name);
        assert.notEqual(program.metadata.name, etcdJoinProgram("other text").metadata.name);
    });

    it("has room for the agent", () => assert.ok(bundleAgent("etcd-join").length < 2 ** 20));
});

describe("the pod of a further controller", () => {
    it("runs only on that node, whatever its taints", () => {
        assert.deepEqual(pod.nodeSelector, { "kubernetes.io/hostname": "c-controller-1" });
        assert.deepEqual(pod.tolerations, [{ operator: "Exists" }]);
        assert.equal(pod.hostNetwork, true);
    });

    it("is Ready when the agent has ended, and runs nothing that could see a key", () => {
        assert.equal(pod.containers.length, 1);
        assert.equal(pod.containers[0].image, cluster.images.pause);
        assert.equal(pod.containers[0].volumeMounts, undefined);
    });

    it("mounts what its command names, and each volume once", () => {
        const { command, volumeMounts } = container;
        const mounted = (name: string) => volumeMounts.find((mount) => mount.name === name)!.mountPath;
        assert.deepEqual(command, ["node", `${mounted("program")}/etcd-join.js`, `${mounted("member")}/plan.json`]);
        assert.deepEqual(volumeMounts.map(({ name }) => name).sort(), pod.volumes.map(({ name }) => name).sort());
    });

    it("reaches every directory of the plan under the same path", () => {
        const { directories } = etcdJoinPlan(cluster, second, [first]);
        for (const path of Object.values(directories)) {
            const mount = container.volumeMounts.find(({ mountPath }) => `${path}/`.startsWith(`${mountPath}/`))!;
            const volume = pod.volumes.find(({ name }) => name === mount.name)!;
            assert.equal(volume.hostPath?.path, mount.mountPath, path);
        }
    });

    it("mounts the agent by the name of its content, so that another version means another pod", () => {
        const volume = pod.volumes.find(({ name }) => name === "program")!;
        assert.deepEqual(volume.configMap, { name: program.metadata.name });
    });
});

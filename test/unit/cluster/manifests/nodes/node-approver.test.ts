import assert from "node:assert/strict";
import { planProblems } from "../../../../../agents/harness/plan";
import { planSchema, poolsSchema } from "../../../../../agents/nodes/approver/plan";
import { bundleAgent } from "../../../../../bundling/agents";
import {
    admittedControllers,
    namedPools,
    nodeApprover,
    nodeApproverPlan,
    nodePoolsConfig,
} from "../../../../../cluster/manifests/nodes/node-approver";
import { nodeApproverUser } from "../../../../../cluster/manifests/rbac";
import { decoded, fakeCredentials, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ workerPools: [{ name: "a", count: 2 }] });
const secrets = fakeCredentials(cluster);
const manifests = nodeApprover(cluster, secrets, { agent: "text" });
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);

describe("node-approver", () => {
    it("has room", () => assert.ok(bundleAgent("node-approver").length < 2 ** 20));

    it("is as reviewed", () => golden(__dirname, "node-approver", manifests));

    it("gets a plan that it accepts", () => {
        assert.deepEqual(planProblems(nodeApproverPlan(fixedCluster()), planSchema), []);
        assert.deepEqual(planProblems(namedPools(cluster), poolsSchema), []);
    });

    it("reads the allowed nodes by pool, without pools whose machines are not named", () => {
        const read = (without: string[]) =>
            JSON.parse((nodePoolsConfig(namedPools(cluster, without)).data as Record<string, string>)["pools.json"]!);
        const controller = { nodes: ["c-controller-0"] };
        assert.deepEqual(read([]), { pools: { controller, a: { nodes: ["c-a-0", "c-a-1"] } } });
        assert.deepEqual(read(["a"]), { pools: { controller } });
        const { data } = admittedControllers(["c-controller-0"]);
        assert.deepEqual(JSON.parse((data as Record<string, string>)["controllers.json"]!), ["c-controller-0"]);
    });

    it("may approve kubelets' client certificates, and read and write what it needs for that", () => {
        const rules = manifests.flatMap(
            ({ rules: all }) => (all as { resources: string[]; verbs: string[]; resourceNames?: string[] }[]) ?? [],
        );
        assert.deepEqual(
            rules.map(({ resources, verbs, resourceNames = [] }) => `${verbs} ${resources} ${resourceNames}`.trim()),
            [
                "get,list,watch,patch nodes",
                "list,watch certificatesigningrequests",
                "patch certificatesigningrequests/approval",
                "approve signers kubernetes.io/kube-apiserver-client-kubelet",
                "get configmaps node-pools,admitted-controllers,joined-machines",
                "patch configmaps joined-machines",
                "get,patch leases node-approver",
                "create leases",
            ],
        );
        for (const { subjects } of [...ofKind("ClusterRoleBinding"), ...ofKind("RoleBinding")]) {
            assert.deepEqual(
                (subjects as { name: string }[]).map(({ name }) => name),
                [nodeApproverUser],
            );
        }
    });

    it("runs on each controller as an unprivileged user with its own certificate, and needs nothing that a static pod cannot have", () => {
        const { nodeSelector, securityContext, automountServiceAccountToken, serviceAccountName, volumes } = podSpecOf(
            ofKind("DaemonSet")[0]!,
        )!;
        assert.deepEqual(nodeSelector, { "node-role.kubernetes.io/control-plane": "" });
        assert.equal((securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
        assert.deepEqual([automountServiceAccountToken, serviceAccountName], [false, undefined]);
        assert.deepEqual(
            (volumes as { name: string }[]).map((volume) => Object.keys(volume).find((key) => key !== "name")),
            ["configMap", "secret"],
        );
        const kubeconfig = JSON.parse(decoded(ofKind("Secret")[0]!).kubeconfig!);
        assert.equal(kubeconfig.users[0].name, nodeApproverUser);
        assert.equal(kubeconfig.clusters[0].cluster.server, "https://127.0.0.1:6443");
    });

    it("trusts the CAs of its node if it queries EC2", () => {
        const asking = nodeApprover(cluster, secrets, { agent: "text", asksEc2: true });
        assert.match(JSON.stringify(asking), /NODE_EXTRA_CA_CERTS/);
        assert.doesNotMatch(JSON.stringify(manifests), /NODE_EXTRA_CA_CERTS/);
    });

    it("restarts when its program or its certificate changes, but not when nodes do", () => {
        const template = (of = cluster, credentials = secrets, agent = "text") => {
            const set = nodeApprover(of, credentials, { agent }).find(({ kind }) => kind === "DaemonSet")!;
            return JSON.stringify((set.spec as { template: object }).template);
        };
        const other = { ...secrets, nodeApprover: { ...secrets.nodeApprover, cert: "other" } };
        const all = [template(), template(cluster, secrets, "other"), template(cluster, other)];
        assert.equal(new Set(all).size, 3);
        assert.equal(template(fixedCluster({ workerPools: [{ name: "a", count: 9 }] })), template());
    });
});

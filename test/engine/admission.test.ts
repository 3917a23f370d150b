import assert from "node:assert/strict";
import { createServer } from "node:net";
import { readNodes } from "../../cli/status/collect/node-list";
import { nodeFacts } from "../../cli/status/collect/nodes";
import { ApiClient, list, patch, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { Node } from "../../clients/kubernetes/objects";
import { controlPlane } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { resolveCluster } from "../../cluster/resolve";
import { type AdmissionProblem, admissionProblems } from "../../components/admission/judge";
import { observeAdmission } from "../../components/admission/observe";
import { ApiServer } from "./apiserver";

const system = "/api/v1/namespaces/kube-system";
const registration = "/apis/admissionregistration.k8s.io/v1";
const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] };
const webhook = (clientConfig: object, change: object = {}) => ({
    metadata: { name: "everything" },
    webhooks: [
        {
            name: "everything.example.com",
            rules: [everything],
            clientConfig,
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            timeoutSeconds: 1,
            ...change,
        },
    ],
});
const nowhere = { service: { namespace: "default", name: "nothing" } };

describe("what prevents a control plane from writing, checked against a real kube-apiserver", function () {
    this.timeout(180_000);
    let server: ApiServer;
    let api: ApiClient;
    const post = (path: string, body: object) => api.call(path, { method: "POST", body });
    const observed = async (milliseconds = 5_000) => admissionProblems(await observeAdmission(api, milliseconds));

    /** The problems found while an object exists. */
    async function having(path: string, body: { metadata: { name: string } }, milliseconds?: number) {
        await post(path, body);
        const remove = () => api.call(`${path}/${body.metadata.name}`, { method: "DELETE" });
        try {
            // Admission may have picked it up in the middle of the first one that reports it.
            await until((problems) => problems.length > 0, milliseconds);
            return await until((problems) => problems.length > 0, milliseconds);
        } finally {
            await remove();
            await until((problems) => problems.length === 0);
        }
    }

    /** Admission picks up its objects with a delay; it may cache a list of other LimitRanges for 30 s. */
    async function until(isSo: (problems: readonly AdmissionProblem[]) => boolean, milliseconds?: number) {
        for (const deadline = Date.now() + 60_000; ; ) {
            const problems = await observed(milliseconds);
            if (isSo(problems)) return problems;
            assert.ok(Date.now() < deadline, `within 60 s: ${JSON.stringify(problems)}`);
        }
    }

    before(async () => {
        server = await ApiServer.start();
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
        const cluster = resolveCluster({ name: "c" });
        for (const each of controlPlane(cluster, placeholderCredentials(cluster))) {
            if (each.kind !== "DaemonSet") continue;
            await post("/apis/apps/v1/namespaces/kube-system/daemonsets", each);
        }
        const spec = { holderIdentity: "x" };
        const metadata = { name: "kube-controller-manager" };
        await post("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", { metadata, spec });
        await post("/api/v1/nodes", { metadata: { name: "c-controller-0" } });
    });
    after(async () => {
        api?.reconnect();
        await server?.stop();
    });

    it("is nothing in a cluster as created by the stack, and the check leaves nothing behind", async () => {
        assert.deepEqual(await observed(), []);
        const { items } = await api.call<{ items: object[] }>(`${system}/pods`);
        assert.deepEqual(items, []);
    });

    it("is a webhook without a backend", async () => {
        const [problem, ...others] = await having(`${registration}/validatingwebhookconfigurations`, webhook(nowhere));
        assert.deepEqual(others, []);
        assert.equal(problem!.effect, "blocks");
        assert.match(
            problem!.message,
            /^the webhook everything\.example\.com \(ValidatingWebhookConfiguration everything\) fails, .* refuses leases of kube-system, pods of kube-apiserver, .*: .*service "nothing" not found/,
        );
        assert.match(problem!.advice, /kubectl delete validatingwebhookconfiguration everything; .*failurePolicy/);
    });

    it("is a webhook for requests that no dry run covers", async () => {
        const rules = [{ ...everything, apiGroups: ["certificates.k8s.io"], operations: ["CREATE"] }];
        const [problem, ...others] = await having(
            `${registration}/mutatingwebhookconfigurations`,
            webhook(nowhere, { rules }),
        );
        assert.deepEqual(others, []);
        assert.match(
            problem!.message,
            /cannot respond, .* refuses certificate signing requests: its Service default\/nothing/,
        );
    });

    it("is a webhook that accepts connections but never responds, even if it would fail open", async () => {
        const silent = createServer().listen(0, "127.0.0.1");
        await new Promise((resolve) => silent.once("listening", resolve));
        const { port } = silent.address() as { port: number };
        try {
            const hook = webhook({ url: `https://127.0.0.1:${port}` }, { failurePolicy: "Ignore", timeoutSeconds: 20 });
            const [problem] = await having(`${registration}/validatingwebhookconfigurations`, hook, 1_500);
            assert.match(problem!.message, /everything\.example\.com .* is called for .* no response within 1\.5 s/);
        } finally {
            silent.close();
        }
    });

    it("is a ValidatingAdmissionPolicy that denies leases", async () => {
        const metadata = { name: "no-leases" };
        const resourceRules = [{ ...everything, apiGroups: ["coordination.k8s.io"] }];
        await post(`${registration}/validatingadmissionpolicies`, {
            metadata,
            spec: { matchConstraints: { resourceRules }, validations: [{ expression: "false", message: "no" }] },
        });
        const binding = {
            metadata: { name: "no-leases-here" },
            spec: { policyName: "no-leases", validationActions: ["Deny"] },
        };
        const [problem, ...others] = await having(`${registration}/validatingadmissionpolicybindings`, binding);
        assert.deepEqual(others, []);
        assert.equal(
            problem!.message,
            "the ValidatingAdmissionPolicyBinding no-leases-here refuses leases of kube-system: no",
        );
    });

    it("is a ResourceQuota of kube-system", async () => {
        const path = `${system}/resourcequotas`;
        await post(path, { metadata: { name: "full" }, spec: { hard: { pods: "0" } } });
        await api.call(`${path}/full/status`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { status: { hard: { pods: "0" }, used: { pods: "0" } } },
        });
        const [problem, ...others] = await until((problems) => problems.length > 0);
        assert.deepEqual(others, []);
        assert.match(
            problem!.message,
            /^the ResourceQuota full of kube-system refuses pods of kube-apiserver, .*limited: pods=0/,
        );
        await api.call(`${path}/full`, { method: "DELETE" });
        await until((problems) => problems.length === 0);
    });

    it("is a LimitRange that rejects objects, or sets limits where there are none", async () => {
        const path = `${system}/limitranges`;
        const [refuses] = await having(path, range("small", { max: { cpu: "10m" } }));
        assert.equal(refuses!.effect, "blocks");
        assert.match(refuses!.message, /^the LimitRange small of kube-system refuses pods of kube-apiserver/);
        const [limits, ...others] = await having(path, range("tiny", { default: { memory: "640Mi" } }));
        assert.deepEqual(others, []);
        assert.equal(limits!.effect, "limits");
        assert.match(limits!.message, /^the LimitRange tiny .*kube-apiserver memory 640Mi/);
        assert.match(limits!.advice, /kubectl -n kube-system delete limitrange tiny/);
    });

    it("is Pod Security enforced on kube-system", async () => {
        const label = (value: string | null) =>
            api.call(system, {
                method: "PATCH",
                contentType: "application/merge-patch+json",
                body: { metadata: { labels: { "pod-security.kubernetes.io/enforce": value } } },
            });
        await label("restricted");
        const [problem, ...others] = await until((problems) => problems.length > 0);
        assert.deepEqual(others, []);
        assert.match(problem!.message, /^the label pod-security.* refuses pods of kube-apiserver, .*restricted:latest/);
        await label(null);
        await until((problems) => problems.length === 0);
    });

    // Here, because of the server.
    describe("the table from which status reads nodes", () => {
        it("says the same as whole Nodes", async () => {
            const status = {
                conditions: [{ type: "Ready", status: "True" }],
                addresses: [{ type: "InternalIP", address: "10.0.0.7" }],
                nodeInfo: { kubeletVersion: "v1.36.3" },
            };
            const [labels, spec] = [{ "node.kubernetes.io/pool": "default" }, { unschedulable: true }];
            await post("/api/v1/nodes", { metadata: { name: "c-default-0", labels }, spec });
            await patch(api, "/api/v1/nodes/c-default-0/status", "merge", { status });
            const nodes = await readNodes(api, {});
            const whole = await list<Node>(api, "/api/v1/nodes");
            assert.deepEqual(nodes.map(nodeFacts), whole.map(nodeFacts));
            assert.deepEqual(
                nodes.map(({ metadata }) => metadata.name),
                ["c-controller-0", "c-default-0"],
            );
            assert.deepEqual(nodeFacts(nodes[1]!), {
                ...{ name: "c-default-0", address: "10.0.0.7", pool: "default", kubelet: "1.36.3", problem: undefined },
                ...{ isController: false, isReady: true, isCordoned: true },
            });
            await api.call("/api/v1/nodes/c-default-0", { method: "DELETE" });
        });
    });
});

function range(name: string, limits: object) {
    return { metadata: { name }, spec: { limits: [{ type: "Container", ...limits }] } };
}

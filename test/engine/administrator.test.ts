import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { breakGlassKubeconfig } from "../../cli/break-glass/issue";
import { ApiClient, type Credentials, readKubeconfig } from "../../clients/kubernetes/api-client";
import type { ApiError } from "../../clients/kubernetes/api-error";
import { controllerLabel } from "../../cluster/labels";
import { fieldManager } from "../../cluster/manifest";
import { placementPolicy } from "../../cluster/manifests/nodes/placement-policy";
import { clusterBinding, rbacManifests, subjects } from "../../cluster/manifests/rbac";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { Authority } from "../unit/agents/boot/receiver/authority";
import { fixedCluster } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { until } from "./until";

const binding = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/tradewind:administrators";
const secrets = "/api/v1/secrets";

describe("the administrator's permissions, with a real kube-apiserver", function () {
    this.timeout(180_000);
    const authority = new Authority();
    let server: ApiServer;
    let ca: string;
    let url: string;
    const clientOf = (credentials: Credentials) => new ApiClient(url, () => ({ ...credentials, ca }));
    /** With the certificate that a stack with this number in its configuration issues. */
    const administrator = (group = "tradewind:administrators") => clientOf(authority.client(group, "administrator"));
    const apply = async (number: number) => {
        const cluster = fixedCluster({ certificates: { administrator: number } });
        for (const object of [...rbacManifests(cluster), ...placementPolicy(cluster)]) {
            await server.cluster.apply(object as KubernetesObject, { fieldManager, force: true });
        }
    };
    const statusOf = (asked: Promise<unknown>) =>
        asked.then(
            () => 200,
            ({ status }: ApiError) => status,
        );

    before(async () => {
        server = await ApiServer.start();
        const read = readKubeconfig(server.kubeconfig);
        [url, ca] = [read.server, read.credentials.ca!];
        // The test's own credentials stay valid.
        await server.replaceApi({ "client-ca-file": { name: "client-ca.crt", text: authority.ca + ca } });
    });
    after(async () => {
        await server?.stop();
        authority.remove();
    });

    it("do not exist before the bootstrap has made the binding, for which it needs system:masters", async () => {
        assert.equal(await statusOf(administrator().call(secrets)), 403);
        await apply(1);
        await until("the binding to be in force", async () => (await statusOf(administrator().call(secrets))) === 200);
    });

    it("are all permissions, also for what is not a resource", async () => {
        const rules = {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SelfSubjectRulesReview",
            spec: { namespace: "a" },
        };
        const { status } = await administrator().call<{ status: Record<string, { verbs: string[] }[]> }>(
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
            { method: "POST", body: rules },
        );
        const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
        assert.ok(status.resourceRules!.some((rule) => JSON.stringify(rule) === JSON.stringify(everything)));
        assert.equal(await statusOf(administrator().call("/metrics")), 200);
    });

    it("include the controllers' label, which others may not set even if they are cluster-admin", async () => {
        const node = { metadata: { name: "c-controller-1", labels: { [controllerLabel]: "" } } };
        const create = (client: ApiClient, query = "") =>
            client.call(`/api/v1/nodes${query}`, { method: "POST", body: node });
        const others = clusterBinding("others", "cluster-admin", subjects.group("others"));
        await server.cluster.apply(others as KubernetesObject, { fieldManager, force: false });
        const other = clientOf(authority.client("others"));
        await until("the policy to be in force", async () => {
            const [allowed, denied] = [
                await statusOf(other.call(secrets)),
                await statusOf(create(other, "?dryRun=All")),
            ];
            return allowed === 200 && denied === 403;
        });
        assert.equal(await statusOf(create(administrator())), 200);
    });

    it("end with the next certificate, whose group is another", async () => {
        await apply(2);
        await until("the former to end", async () => (await statusOf(administrator().call(secrets))) === 403);
        assert.equal(await statusOf(administrator("tradewind:administrators-2").call(secrets)), 200);
    });

    it("end with the binding, which the stack's own certificate restores", async () => {
        const current = administrator("tradewind:administrators-2");
        await current.call(binding, { method: "DELETE" });
        await until("the permissions to end", async () => (await statusOf(current.call(secrets))) === 403);
        const stack = clientOf(authority.client("system:masters", "kubernetes-admin"));
        assert.equal(await statusOf(stack.call(secrets)), 200);
        await apply(2);
        await until("the permissions to be back", async () => (await statusOf(current.call(secrets))) === 200);
    });

    it("are not needed by a break-glass kubeconfig, which ends by itself", async () => {
        const kubernetesCa = { cert: authority.ca, key: authority.key };
        const { text, end } = breakGlassKubeconfig("c", url, { kubernetesCa }, 2);
        const { credentials } = readKubeconfig(text);
        const { validTo, subject } = new X509Certificate(credentials.cert!);
        assert.equal(Date.parse(validTo), Math.floor(end.getTime() / 1000) * 1000);
        assert.deepEqual(subject.split("\n").sort(), ["CN=break-glass", "O=system:masters"]);
        await administrator("tradewind:administrators-2").call(binding, { method: "DELETE" });
        assert.equal(await statusOf(clientOf(credentials).call(secrets)), 200);
        const { text: ended } = breakGlassKubeconfig("c", url, { kubernetesCa }, 1, Date.now() - 7_200_000);
        assert.equal(await statusOf(clientOf(readKubeconfig(ended).credentials).call(secrets)), 401);
    });
});

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { rewriteSecrets } from "../../agents/secrets-rewrite/rewrite";
import { compare } from "../../cli/drill/compare";
import { everyObject } from "../../cli/drill/list";
import { ApiClient, patch, readKubeconfig } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { evict } from "../../clients/kubernetes/pods";
import { bootstrapTokenSecret } from "../../cluster/manifests/nodes/bootstrap-tokens";
import { ApiServer } from "./apiserver";

const registration = "/apis/admissionregistration.k8s.io/v1";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const nowhere = { service: { namespace: "default", name: "nothing", path: "/" } };

/** A kind with two versions, which a webhook converts. */
function definition(plural: string): { metadata: { name: string } } {
    const schema = {
        openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: {} } } },
    };
    const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema });
    return {
        metadata: { name: `${plural}.example.com` },
        spec: {
            group: "example.com",
            scope: "Cluster",
            names: { plural, kind: plural.toUpperCase() },
            versions: [version("v2", false), version("v1", true)],
            conversion: {
                strategy: "Webhook",
                webhook: { clientConfig: nowhere, conversionReviewVersions: ["v1"] },
            },
        },
    } as { metadata: { name: string } };
}

describe("what users' objects may do to an API", function () {
    this.timeout(120_000);
    let server: ApiServer;
    let api: ApiClient;
    const post = (path: string, body: object) => api.call(path, { method: "POST", body });
    const until = async (isSo: () => Promise<unknown>) => {
        for (const deadline = Date.now() + 60_000; !(await isSo().catch(() => false)); ) {
            assert.ok(Date.now() < deadline, `not within 60 s: ${isSo}`);
        }
    };

    before(async () => {
        server = await ApiServer.start({ flags: { apiserver: ["--enable-bootstrap-token-auth"], controllers: [] } });
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials, "test");
    });
    after(() => server?.stop());

    it("includes aggregated APIs and dead conversion webhooks, which a drill leaves out", async () => {
        const apiService = {
            metadata: { name: "v1beta1.metrics.k8s.io" },
            spec: {
                group: "metrics.k8s.io",
                version: "v1beta1",
                groupPriorityMinimum: 100,
                versionPriority: 100,
                insecureSkipTLSVerify: true,
                service: { namespace: "default", name: "nothing" },
            },
        };
        await post("/apis/apiregistration.k8s.io/v1/apiservices", apiService);
        await post(definitions, definition("dead"));
        await until(() =>
            post("/apis/example.com/v1/dead", { apiVersion: "example.com/v1", kind: "DEAD", metadata: { name: "a" } }),
        );
        await until(async () => (await everyObject(api)).leftOut.has("metrics.k8s.io/v1beta1"));

        const before = await everyObject(api);
        assert.deepEqual([...before.leftOut.keys()], ["dead of example.com/v2", "metrics.k8s.io/v1beta1"]);
        assert.match(before.leftOut.get("dead of example.com/v2")!, /conversion webhook/);
        const names = before.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
        assert.ok(names.includes("APIService v1beta1.metrics.k8s.io"));
        assert.ok(names.includes("CustomResourceDefinition dead.example.com"));
        const after = await everyObject(api, before);
        assert.deepEqual(compare(before.objects, after.objects).differences, []);

        // A kind that could be listed before must be found again.
        const known = { ...before, leftOut: new Map() };
        const soon = { seconds: 0.1, everyMilliseconds: 50 };
        await assert.rejects(everyObject(api, known, soon), /^Error: could not list dead of example.com\/v2: 500: /);
    });

    it("does not include joining by an expired bootstrap token, whose Secret stays", async () => {
        const answerTo = async (id: string, expiration: string) => {
            const token = `${id}.0123456789abcdef`;
            const { metadata, type, data } = bootstrapTokenSecret({ pool: "a" }, token, { expiration });
            await post("/api/v1/namespaces/kube-system/secrets", { metadata, type, data });
            const { server: url, credentials } = readKubeconfig(server.kubeconfig);
            const client = new ApiClient(url, () => ({ ca: credentials.ca, token }), "test");
            // Authenticated users may see the version, others may not here; informers take a moment.
            const answers = [];
            for (let each = 0; each < 10 && answers.at(-1) !== "served"; each++) {
                answers.push(await client.call("/version").then(() => "served", describeError));
                await setTimeout(100);
            }
            return answers.at(-1);
        };
        const day = 86_400_000;
        assert.equal(await answerTo("future", new Date(Date.now() + day).toISOString()), "served");
        assert.match(String(await answerTo("passed", new Date(Date.now() - day).toISOString())), /401/);
    });

    it("includes two budgets of one pod, which a drain reports, and budgets that spare pods that are not Ready", async () => {
        const budget = (name: string, unhealthyPodEvictionPolicy?: string) =>
            post("/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
                metadata: { name },
                spec: {
                    minAvailable: 1,
                    selector: { matchLabels: { app: name.charAt(0) } },
                    unhealthyPodEvictionPolicy,
                },
            });
        const pods = "/api/v1/namespaces/default/pods";
        const pod = async (name: string, ready: "True" | "False") => {
            const containers = [{ name: "c", image: "c" }];
            await post(pods, {
                metadata: { name, labels: { app: name } },
                spec: { containers, terminationGracePeriodSeconds: 0 },
            });
            const status = { phase: "Running", conditions: [{ type: "Ready", status: ready }] };
            await patch(api, `${pods}/${name}/status`, "merge", { status });
            return evict(api, { metadata: { name, namespace: "default" } });
        };
        await Promise.all([budget("a1"), budget("a2"), budget("b1", "AlwaysAllow")]);
        assert.match(await pod("a", "True"), /^stays: 500: This pod has more than one PodDisruptionBudget/);
        assert.equal(await pod("b", "False"), "is evicted");
    });

    it("includes policies that deny updates of Secrets: all others are rewritten, and these are named", async () => {
        const secrets = "/api/v1/namespaces/default/secrets";
        const names = ["denied", "free", "immutable", "large"];
        for (const name of names) {
            const value = Buffer.alloc(name === "large" ? 900 * 1024 : 1).toString("base64");
            await post(secrets, { metadata: { name }, data: { value }, immutable: name === "immutable" });
        }
        const policy = {
            metadata: { name: "no-updates" },
            spec: {
                matchConstraints: {
                    resourceRules: [
                        { apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["secrets"] },
                    ],
                },
                validations: [{ expression: "object.metadata.name != 'denied'", message: "locked" }],
            },
        };
        await post(`${registration}/validatingadmissionpolicies`, policy);
        await post(`${registration}/validatingadmissionpolicybindings`, {
            metadata: { name: "no-updates" },
            spec: { policyName: "no-updates", validationActions: ["Deny"] },
        });
        const plan = { apiServer: "https://127.0.0.1", pageSize: 1 };
        const refused = () => rewriteSecrets(api, plan).then(() => "", String);
        await until(async () => (await refused()) !== "");
        assert.match(
            await refused(),
            /^Error: (\d+) of \d+ Secrets .* refuses to write the others:\n {2}default\/denied: .*locked$/,
        );
    });
});

import assert from "node:assert/strict";
import { local } from "@pulumi/command";
import { Provider } from "@pulumi/kubernetes/provider";
import type { Stack } from "@pulumi/pulumi/automation";
import { cleanUp, takeBack } from "../../agents/clean-up/clean-up";
import { readKubeconfig } from "../../clients/kubernetes/api-client";
import { resolveCluster } from "../../cluster/resolve";
import { CleanUp } from "../../components/in-cluster/clean-up";
import { ApiServer } from "./apiserver";
import { driver, StandInCloud } from "./clean-up/stand-in-cloud";
import { up } from "./kubernetes-fixture/run";
import { Engine } from "./kubernetes-fixture/stack";
import { until } from "./until";

const everything = ["pv-shop", "shop", "user-of-shop", "web"];
const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/tradewind-clean-up";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
/** Settings of the clean-up that do not apply here, as the API is reachable. */
const nowhere = { kind: "digitalocean", vpcId: "", tag: "", ownLoadBalancers: [], volumePrefix: "" } as const;
const marker = "/api/v1/namespaces/kube-system/configmaps/tradewind-clean-up";

describe("the clean-up of what a cluster created in its cloud", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let cloud: StandInCloud;
    let engine: Engine;
    let stack: Stack;

    const has = (path: string) =>
        api.http.send({ method: "GET", path }).then(
            () => true,
            () => false,
        );
    /** The cluster's network, and the clean-up where the cloud's controllers matter. */
    const program = (isRequested: boolean) => async () => {
        const network = new local.Command("network", { create: "true" });
        const provider = new Provider(
            "c",
            {
                kubeconfig: api.kubeconfig,
                clusterIdentifier: "c",
                upsertExistingObjects: true,
                enableConfigMapMutable: true,
            },
            { dependsOn: network },
        );
        if (!isRequested) return;
        const cluster = resolveCluster({ name: "c" });
        const createdByCluster = {
            hasLoadBalancers: true,
            drivers: [driver],
            findByHand: ["look there"],
            cloud: nowhere,
            after: [network],
        };
        new CleanUp("c", { cluster, createdByCluster, kubeconfig: api.kubeconfig, provider, deletedWith: network });
    };
    const request = (id: string, limits: object = {}) => {
        const { server, credentials } = readKubeconfig(api.kubeconfig);
        const lines: string[] = [];
        const print = (line: string) => lines.push(line);
        const scope = { cluster: "c", hasLoadBalancers: true, drivers: [driver], findByHand: ["look there"] };
        return { lines, args: { ...scope, server, ...credentials, ...limits, id, print } };
    };

    before(async () => {
        const controllers = ["binder", "protection"].map((each) => `persistentvolume-${each}-controller`);
        api = await ApiServer.start({ controllers: [...controllers, "persistentvolumeclaim-protection-controller"] });
        engine = await Engine.start();
        cloud = new StandInCloud(api);
        cloud.start();
        stack = await engine.stack(program(true));
        await Promise.all([cloud.balance("web"), cloud.store("shop", "Delete"), cloud.store("kept", "Retain")]);
    });
    after(async () => {
        await cloud?.stop();
        await api?.stop();
        engine?.stop();
    });

    it("is prepared by the stack, and not run when the stack replaces it or leaves it out", async () => {
        await up(stack, program(true));
        assert.ok(await has(marker));
        await stack.up({ replace: [(await urns()).find((urn) => urn.endsWith("::c-clean-up"))!] });
        assert.ok(await has(marker));
        const { text } = await up(stack, program(false));
        assert.match(text, /nothing is deleted: the cluster stays/);
        assert.ok(!(await has(marker)));
        assert.deepEqual(
            (await cloud.left()).filter((name) => everything.includes(name)),
            everything,
        );
        await up(stack, program(true));
    });

    it("stops early if a webhook rejects every deletion, with its name, the command to remove it, and what is left", async () => {
        const { id } = ((await api.http.send({ method: "GET", path: marker })) as { data: { id: string } }).data;
        const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
        const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["DELETE"], resources: ["*"] }];
        await cloud.create(configurations, {
            metadata: { name: "keeps" },
            webhooks: [
                {
                    ...{ name: "keeps.example.com", rules, sideEffects: "None", admissionReviewVersions: ["v1"] },
                    clientConfig: { service: { namespace: "nowhere", name: "nothing" } },
                },
            ],
        });
        await until("deletions to be rejected", () =>
            api.http.send({ method: "DELETE", path: `${claims}/shop?dryRun=All` }).then(
                () => false,
                (error: Error) => /failed calling webhook/.test(error.message),
            ),
        );
        const { args } = request(id, { timeoutSeconds: 60, admissionSeconds: 1 });
        const start = performance.now();
        const refusal = assert.rejects(cleanUp(args), (error: Error) => {
            assert.match(error.message, /^the API refuses to delete .*: webhook keeps\.example\.com: .*not found/);
            assert.match(error.message, /\nLeft: load balancer of Service default\/web; volume vol-shop/);
            assert.match(error.message, /\n {4}kubectl delete validatingwebhookconfiguration keeps\n/);
            return true;
        });
        const leaving = refusal.then(async () => {
            const { lines, args: others } = request(id, { timeoutSeconds: 60, admissionSeconds: 1 });
            await cleanUp({ ...others, choice: "leave" });
            assert.match(lines.join("\n"), /left behind, since the API refuses to delete it: load balancer of Service/);
            assert.match(lines.at(-1)!, /look there/);
            await takeBack(others);
        });
        await leaving.finally(() => api.http.send({ method: "DELETE", path: `${configurations}/keeps` }));
        assert.ok(performance.now() - start < 20_000);
        assert.ok(!(await has(policies)));
        await until("deletions to be allowed", () =>
            api.http.send({ method: "DELETE", path: `${claims}/shop?dryRun=All` }).then(
                () => true,
                () => false,
            ),
        );
    });

    it("reports what is left when it times out, and leaves a working cluster", async () => {
        const { id } = ((await api.http.send({ method: "GET", path: marker })) as { data: { id: string } }).data;
        cloud.isAtWork = false;
        const { args } = request(id, { timeoutSeconds: 1 });
        await assert.rejects(cleanUp(args), (error: Error) => {
            assert.match(
                error.message,
                /load balancer of Service default\/web; volume vol-shop of claim default\/shop/,
            );
            assert.match(
                error.message,
                /kubectl -n kube-system delete configmap tradewind-clean-up, then destroy again/,
            );
            return true;
        });
        assert.ok(!(await has(policies)));
    });

    it("keeps the cluster from creating more meanwhile, until that is reverted", async () => {
        const { id } = ((await api.http.send({ method: "GET", path: marker })) as { data: { id: string } }).data;
        const { args } = request(id, { timeoutSeconds: 20 });
        const running = cleanUp(args);
        await until("new load balancers to be rejected", () =>
            cloud.balance("more").then(
                () => false,
                (error: Error) => /is being destroyed.*kubectl delete/.test(error.message),
            ),
        );
        // The first rejection may come from the policy that the last test removed and that is still in force.
        await until("new claims to be rejected", () =>
            cloud.create(`${claims}?dryRun=All`, cloud.claim("more")).then(
                () => false,
                (error: Error) => /destroyed/.test(error.message),
            ),
        );
        cloud.isAtWork = true;
        await running;
        assert.ok(await has(policies));
        assert.deepEqual(
            (await cloud.left()).filter((name) => !/kept/.test(name)),
            [],
        );
        await takeBack(args);
        assert.ok(!(await has(policies)));
        await until("claims to be allowed again", () =>
            cloud.create(`${claims}?dryRun=All`, cloud.claim("more")).then(
                () => true,
                () => false,
            ),
        );
        await Promise.all([cloud.balance("web"), cloud.store("shop", "Delete")]);
    });

    it("is run by destroy while the cluster is reachable, pods first, and keeps volumes with the retain policy", async () => {
        cloud.events.length = 0;
        const { stdout } = await stack.destroy();
        assert.deepEqual(await cloud.left(), ["kept", "pv-kept", "user-of-kept"]);
        assert.match(stdout, /kept, by its reclaim policy: volume vol-kept of claim default\/kept/);
        const happened = (event: string) => cloud.events.indexOf(event);
        assert.ok(happened("load balancer of web deleted") >= 0, cloud.events.join());
        assert.ok(happened("pod user-of-shop ended") < happened("volume pv-shop deleted"), cloud.events.join());
    });

    it("does not hang if the cluster is dead and was created before clean-ups used its cloud, and says how to find leftovers", async () => {
        await api.stopApi();
        const { args, lines } = request("its id", { apiSeconds: 1 });
        await cleanUp(args);
        assert.match(
            lines.join("\n"),
            /the API of c does not answer \(waited 1 s .*ECONNREFUSED.*\n.*\n.*\n +look there$/,
        );
    });

    async function urns(): Promise<string[]> {
        const { deployment } = await stack.exportStack();
        return deployment.resources.map(({ urn }: { urn: string }) => urn);
    }
});

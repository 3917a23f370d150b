import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Credentials } from "../../../../cluster/keys/credentials";
import { resolveCluster } from "../../../../cluster/resolve";
import { UpgradeOrder } from "../../../../cluster/upgrades/order";
import { SelfHosted } from "../../../../components/in-cluster/control-plane";
import type { IssuedToken } from "../../../../components/pki/issued";
import { type Deployed, deploy } from "../../deploy";
import { fakeCredentials, fakeTokens } from "./fixture";
import { Created, objectsOf, textsOf } from "./owned-in-cluster";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }], rolloutTimeout: "2m" });
const credentials = fakeCredentials(cluster);

/** Ids of resources called keys are unknown. */
const unknownKeys = ({ name }: { name: string }) => (/^keys?\b/.test(name) ? { id: "" } : {});

async function create(
    secrets: Credentials = credentials,
    of = cluster,
    tokens: readonly IssuedToken[] = fakeTokens(of),
): Promise<Deployed[]> {
    const program = () =>
        new SelfHosted("c", {
            cluster: of,
            credentials: pulumi.secret(secrets),
            tokens,
            kubeconfig: pulumi.output("kubeconfig"),
            wasAsked: () => false,
            pivot: new Created("pivot"),
            order: new UpgradeOrder(),
            deletedWith: new Created("network"),
        });
    return (await deploy(program)).resources;
}

const tokenOf = (resources: readonly Deployed[], of: string) =>
    resources.find(({ name }) => name === `c/bootstrap-token/${of}`)!;

describe("the control plane under the stack's ownership", () => {
    it("waits for new pods until the rollout timeout", async () => {
        for (const { name, opts } of objectsOf(await create())) {
            assert.deepEqual(opts.customTimeouts, { create: "120s", update: "120s" }, name);
        }
    });

    it("waits for the checkpointers of several controllers one after another", async () => {
        const three = resolveCluster({ name: "c", controllers: { count: 3 }, rolloutTimeout: "2m" });
        const objects = objectsOf(await create(fakeCredentials(three), three));
        const updateOf = (name: string) =>
            objects.find((each) => each.name.endsWith(name))!.opts.customTimeouts?.update;
        assert.equal(updateOf("/daemonset/kube-system/checkpointer"), "360s");
        assert.equal(updateOf("/daemonset/kube-system/kube-apiserver"), "120s");
    });

    it("makes the token of each machine valid until it expires, and recreates it with another token or time", async () => {
        const resources = await create();
        for (const [pool, node] of Object.entries({ controller: "c-controller-0", a: "c-a-0" })) {
            const { opts, secretInputs, inputs } = tokenOf(resources, node);
            const texts = textsOf(tokenOf(resources, node));
            assert.equal(texts.expiration, "2030-01-01T00:00:00Z");
            assert.equal(`${texts["token-id"]}.${texts["token-secret"]}`, credentials.bootstrapTokens[node]);
            const groups = [`tradewind-pool:${pool}`, `tradewind-node:${node}`].map(
                (of) => `system:bootstrappers:${of}`,
            );
            assert.equal(texts["auth-extra-groups"], groups.join());
            assert.equal(inputs.metadata.name, `bootstrap-token-${texts["token-id"]}`);
            assert.deepEqual(secretInputs, ["data"]);
            assert.deepEqual([opts.replaceOnChanges, opts.deleteBeforeReplace], [["data"], true]);
        }
    });

    it("keeps a group's token valid as long as its pool exists", async () => {
        const tokens = [{ pool: "a", token: pulumi.secret("abcdef.0123456789abcdef") }];
        const texts = textsOf(tokenOf(await create(credentials, cluster, tokens), "a"));
        assert.equal("expiration" in texts, false);
        assert.equal(texts["auth-extra-groups"], "system:bootstrappers:tradewind-pool:a");
    });

    it("rolls the apiserver when its certificate is another, and leaves what has no part in it", async () => {
        const apiserver = { ...credentials.apiserver, cert: "another" };
        const [before, after] = [await create(), await create({ ...credentials, apiserver })].map(objectsOf);
        const changed = after!.filter(
            ({ name, inputs }) =>
                JSON.stringify(inputs) !== JSON.stringify(before!.find((each) => each.name === name)?.inputs),
        );
        assert.deepEqual(changed.map(({ name }) => name).sort(), [
            "c/daemonset/kube-system/kube-apiserver",
            "c/secret/kube-system/kube-apiserver",
        ]);
    });

    it("shows objects in a preview without any keys", async () => {
        const known = await create();
        const unknown = await deploy(
            () => {
                const keys = new Created("keys");
                return new SelfHosted("c", {
                    cluster,
                    credentials: keys.id.apply(() => credentials),
                    tokens: fakeTokens(cluster).map((each) => ({ ...each, token: keys.id.apply(() => "") })),
                    kubeconfig: pulumi.output("kubeconfig"),
                    wasAsked: () => false,
                    pivot: new Created("pivot"),
                    order: new UpgradeOrder(),
                    deletedWith: new Created("network"),
                });
            },
            { isPreview: true, outputs: unknownKeys },
        );
        const names = (resources: readonly Deployed[]) => objectsOf(resources).map(({ name }) => name);
        assert.deepEqual(names(unknown.resources).sort(), names(known).sort());
    });

    it("knows everything but the new machine's token in a preview that adds a machine", async () => {
        const preview = await deploy(
            () => {
                const key = new Created("key of a machine that comes");
                return new SelfHosted("c", {
                    cluster,
                    credentials: pulumi.secret(credentials),
                    tokens: fakeTokens(cluster).map((each) =>
                        each.node === "c-a-0" ? { ...each, token: key.id.apply(() => "") } : each,
                    ),
                    kubeconfig: pulumi.output("kubeconfig"),
                    wasAsked: () => false,
                    pivot: new Created("pivot"),
                    order: new UpgradeOrder(),
                    deletedWith: new Created("network"),
                });
            },
            { isPreview: true, outputs: unknownKeys },
        );
        const known = await create();
        const changed = objectsOf(preview.resources).filter(
            ({ name, inputs }) =>
                JSON.stringify(inputs) !== JSON.stringify(known.find((each) => each.name === name)?.inputs),
        );
        assert.deepEqual(
            changed.map(({ name }) => name),
            ["c/bootstrap-token/c-a-0"],
        );
    });
});

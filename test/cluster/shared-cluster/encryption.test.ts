import assert from "node:assert/strict";
import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import {
    aggregatedPath,
    frontProxyIssuer,
    makeAggregatedApi,
    publishedAuthorities,
    removeAggregatedApi,
} from "../aggregated-api";
import { eventually } from "../cluster";
import { storedIn } from "../etcd-roll";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const secret = "a-secret-of-a-test";
const published = "configmap/extension-apiserver-authentication";

/** Sets the lists, one step each. */
async function want(lists: Readonly<Record<string, readonly (number | string)[]>>): Promise<void> {
    for (const [kind, list] of Object.entries(lists)) {
        await shared.pulumi("config", "rm", "--path", `tradewind:keys.${kind}`).catch(() => {});
        for (const [index, each] of list.entries()) {
            const path = `tradewind:keys.${kind}[${index}]`;
            await shared.pulumi("config", "set", "--path", path, String(each), "--plaintext");
        }
    }
}

/** Clients of kube-apiserver, and of the API behind it. */
async function targets() {
    const own = await controllerTargets(shared, controller);
    return [...own, { ...own[0]!, path: aggregatedPath }];
}

const upUnnoticed = (what: string) =>
    underProber(shared, what, targets, () => shared.pulumi("up", "--yes", "--skip-preview"));

/** Prefixes of each Secret in etcd: unencrypted ones, and by key. */
async function keysInEtcd(): Promise<string[]> {
    const stored = await storedIn(shared, controller, "/registry/secrets/");
    assert.ok(stored.length > 3);
    const beginnings = stored.map((value) => /^(k8s:enc:\w+:v\d+:[\w-]+:|k8s\0)/.exec(value.toString("latin1"))?.[0]);
    return [...new Set(beginnings.map((each) => each ?? "something else"))];
}

async function isReadable(): Promise<void> {
    const { data } = await shared.get<{ data: { word: string } }>("secret", "kept");
    assert.equal(Buffer.from(data.word, "base64").toString(), secret);
    // All of them: one that can't be read makes the list fail.
    await shared.kubectl("get", "secrets", "-A");
}

const publishedSerials = async () => (await publishedAuthorities(shared)).map(({ serialNumber }) => serialNumber);

const isInEtcd = async () =>
    (await storedIn(shared, controller, "/registry/secrets/default/kept")).some((value) => value.includes(secret));

describe("Secrets of a running cluster, and the CA of APIs behind it", function () {
    this.timeout(1_800_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(async () => {
        await shared.kubectl("delete", "--ignore-not-found", "secret/kept");
        await removeAggregatedApi(shared);
    });

    itLong(
        "are encrypted from the start, decrypted, and encrypted again, and the CA is replaced, without a failed request and across a power cut",
        async () => {
            await makeAggregatedApi(shared);
            await shared.kubectl("create", "secret", "generic", "kept", `--from-literal=word=${secret}`);
            assert.deepEqual(await keysInEtcd(), ["k8s:enc:secretbox:v1:key-1:"]);
            assert.equal(await isInEtcd(), false);
            const first = await frontProxyIssuer(shared);

            await want({ encryption: [1, "plain"] });
            await upUnnoticed("unencrypted ones can be read");
            await want({ encryption: ["plain", 1], frontProxyCa: [1, 2] });
            await upUnnoticed("a key that can only read, a second CA that is trusted");
            assert.deepEqual(await keysInEtcd(), ["k8s\0"]);
            assert.equal(await isInEtcd(), true);
            assert.equal(await frontProxyIssuer(shared), first);
            const [second] = (await publishedSerials()).filter((each) => each !== first);
            assert.ok(second);

            await want({ encryption: [1, "plain"], frontProxyCa: [2, 1] });
            await upUnnoticed("the key writes, the CA issues");
            assert.deepEqual(await keysInEtcd(), ["k8s:enc:secretbox:v1:key-1:"]);
            assert.equal(await isInEtcd(), false);
            assert.equal(await frontProxyIssuer(shared), second);
            await isReadable();

            const cut = performance.now();
            await powerCut(shared.name, controller);
            await eventually("the Secrets after a power cut", isReadable, 180);
            console.log(`      readable ${((performance.now() - cut) / 1000).toFixed(0)} s after a power cut`);
            await eventually("the whole cluster", () => shared.pulumi("preview", "--expect-no-changes"), 180);
            const pods = ["-n", "kube-system", "wait", "--for=condition=Ready", "pods", "-l", "k8s-app=kube-apiserver"];
            await eventually("kube-apiserver itself", () => shared.kubectl(...pods, "--timeout=10s"), 180);

            await want({ encryption: [1], frontProxyCa: [2] });
            await upUnnoticed("only the new ones are known");
            await isReadable();
            await shared.kubectl("-n", "kube-system", "delete", published);
            await eventually("the published CA", async () => {
                assert.deepEqual(await publishedSerials(), [second]);
            });
            await eventually("the API behind it", async () => {
                assert.equal(await frontProxyIssuer(shared), second);
            });
            await shared.pulumi("preview", "--expect-no-changes");
        },
    );
});

import assert from "node:assert/strict";
import type { X509Certificate } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady } from "../../../clients/kubernetes/objects";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { certificateKinds, forgetKubeletCertificates, kubeletCertificate, shownSerial } from "../kubelet-certificates";
import type { NodeObject } from "../node-sight";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { underProber } from "../under-prober";

const controller = `${shared.name}-controller-0`;
const nodes = [controller, ...[0, 1].map((index) => `${shared.name}-default-${index}`)];
const duration = "tradewind:components.kubeControllerManager.cluster-signing-duration";
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

/** Client and server certificates of each node. */
async function certificates(): Promise<readonly X509Certificate[]> {
    const desired = nodes.flatMap((node) => certificateKinds.map((kind) => ({ node, kind })));
    return Promise.all(desired.map(({ node, kind }) => kubeletCertificate(shared, node, kind)));
}

/** Minutes until it expires. Its start is minutes before it was issued. */
const leftOf = ({ validTo }: X509Certificate) => (Date.parse(validTo) - Date.now()) / 60_000;

function expireInThreeMinutes(all: readonly X509Certificate[]): void {
    for (const each of all) assert.ok(leftOf(each) > 0 && leftOf(each) <= 3, `${each.subject} until ${each.validTo}`);
}

/** Waits until each has changed, and returns them. */
async function followed(before: readonly X509Certificate[], seconds: number): Promise<readonly X509Certificate[]> {
    return eventually(
        "automatically renewed certificates",
        async () => {
            const now = await certificates();
            const same = now.filter(({ serialNumber }, index) => serialNumber === before[index]!.serialNumber);
            assert.deepEqual(
                same.map(({ subject, validTo }) => `${subject} until ${validTo}`),
                [],
            );
            return now;
        },
        seconds,
    );
}

async function areWell(): Promise<void> {
    const { items } = await shared.get<{ items: NodeObject[] }>("nodes");
    assert.deepEqual(
        items.map(({ status }) => isReady(status)),
        nodes.map(() => true),
    );
    const pods = ["-n", "kube-system", "get", "pods", "-l", "k8s-app=kube-proxy", "-o", "name"];
    for (const pod of (await shared.kubectl(...pods)).trim().split("\n")) {
        await shared.kubectl("-n", "kube-system", "logs", "--tail=1", pod);
    }
}

describe("kubelets' certificates that expire after three minutes", function () {
    this.timeout(1_800_000);

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });

    itLong("are renewed automatically, for clients and servers", async () => {
        await shared.pulumi(
            "config",
            "set",
            "--path",
            "tradewind:certificates.kubeletServing",
            "issued",
            "--plaintext",
        );
        await shared.pulumi("config", "set", "--path", duration, "3m", "--plaintext");
        await up();
        const change = async () => {
            for (const node of nodes) await forgetKubeletCertificates(shared, node);
            // A node that is Ready gets no second certificate: it must be NotReady first, which takes up to 50 s.
            const first = await eventually("the first of both", certificates, 120);
            expireInThreeMinutes(first);

            const start = performance.now();
            const second = await followed(first, 300);
            console.log(`      all renewed after ${((performance.now() - start) / 1000).toFixed(0)} s`);
            const end = Math.max(...first.map(({ validTo }) => Date.parse(validTo)));
            assert.ok(Date.now() < end, "each in time");
            expireInThreeMinutes(second);
            // Until the last of the first ones has expired.
            while (Date.now() < end) {
                await areWell();
                await sleep(5_000);
            }
            const { items } = await shared.get<{ items: NodeObject[] }>("nodes");
            for (const { metadata, status } of items) {
                const { address } = status.addresses!.find(({ type }) => type === "InternalIP")!;
                const old = first[2 * nodes.indexOf(metadata.name) + 1]!.serialNumber;
                assert.notEqual(await shownSerial(address, 10250), old, metadata.name);
            }
            await areWell();

            await shared.pulumi("config", "rm", "--path", "tradewind:components.kubeControllerManager");
            await up();
            await eventually(
                "certificates of the usual length",
                async () => {
                    for (const each of await certificates()) assert.ok(leftOf(each) > 24 * 60, each.validTo);
                },
                330,
            );
        };
        await underProber(shared, "two generations", () => controllerTargets(shared, controller), change);
        await areWell();
        await shared.pulumi("preview", "--expect-no-changes");
    });
});

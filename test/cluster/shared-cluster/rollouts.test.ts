import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient, readKubeconfig } from "../../../clients/kubernetes/api-client";
import { eventually } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { controllerTargets, likeKubernetes } from "../rollout";
import { shared, sharedCluster } from "../shared";

/** `npm run bench -- rollouts` runs ten, with at least 20 000 requests. */
const enough = 2_000;

const flag = "tradewind:components.kubeApiserver.v";
const plugins = "tradewind:components.kubeApiserver.enable-admission-plugins";
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

interface Pod {
    readonly spec: { readonly containers: { readonly command: string[] }[] };
}

/** The command line of the only apiserver, once the previous one has exited. */
async function command(): Promise<readonly string[]> {
    return eventually("one apiserver", async () => {
        const { items } = await shared.get<{ items: Pod[] }>(
            "pods",
            "-n",
            "kube-system",
            "-l",
            "k8s-app=kube-apiserver",
        );
        assert.equal(items.length, 1);
        return items[0]!.spec.containers[0]!.command;
    });
}

/** A node's kubelet certificate, as root there can read it. It is NodeRestriction that answers. */
async function cannotLabelAnother(node: string, other: string): Promise<void> {
    const { server, credentials } = readKubeconfig(readFileSync(shared.kubeconfig, "utf8"));
    const pem = await shared.exec(node, "cat /var/lib/kubelet/pki/kubelet-client-current.pem");
    const api = new ApiClient(server, () => ({ ca: credentials.ca, cert: pem, key: pem }));
    const label = (name: string) =>
        api.call(`/api/v1/nodes/${name}?dryRun=All`, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { labels: { "node.kubernetes.io/tried": "true" } } },
        });
    try {
        await label(node);
        await assert.rejects(label(other), new RegExp(`node "${node}" is not allowed to modify node "${other}"`));
    } finally {
        api.reconnect();
    }
}

describe("a flag of the only apiserver", function () {
    this.timeout(240_000);
    let prober: Prober | undefined;

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
    });
    after(() => prober?.stop());

    it("is previewed as just that", async () => {
        await shared.pulumi("config", "set", "--path", flag, "1", "--plaintext");
        await shared.pulumi("config", "set", "--path", plugins, "DenyServiceExternalIPs", "--plaintext");
        const preview = await shared.pulumi("preview", "--diff");
        assert.match(preview.stdout, /--v=1/);
        assert.match(preview.stdout, /~ 1 to update/);
        assert.doesNotMatch(preview.stdout, /to (replace|create|delete)/);
    });

    it("is rolled out", async () => {
        prober = new Prober(await controllerTargets(shared, "test-controller-0"), 480);
        await up();
        const rolled = await command();
        assert(rolled.includes("--v=1"));
        assert(
            rolled.includes("--enable-admission-plugins=NodeRestriction,EventRateLimit,DenyServiceExternalIPs"),
            `${rolled}`,
        );
        await cannotLabelAnother("test-default-0", "test-controller-0");
    });

    it("is dropped again, and no request of any kind of client failed in either rollout", async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:components.kubeApiserver");
        await up();
        assert(!(await command()).includes("--v=1"));
        // The last generation drains.
        await sleep(15_000);
        const tallies = await prober!.stop();
        prober = undefined;
        console.log(`      ${describeTallies(tallies)}`);
        const counted = likeKubernetes(tallies);
        assert.deepEqual(
            counted.flatMap(({ failures }) => failures),
            [],
        );
        const requests = counted.reduce((sum, tally) => sum + tally.requests, 0);
        assert.ok(requests >= enough, `at least ${enough} requests (got ${requests})`);
    });
});

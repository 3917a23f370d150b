import assert from "node:assert/strict";
import { planSchema } from "../../../../../agents/boot/bootstrap/plan";
import { planProblems } from "../../../../../agents/harness/plan";
import { bootstrapAssets, bootstrapManifests } from "../../../../../cluster/machines/bootstrap/assets";
import { manifestKey, owned } from "../../../../../cluster/manifest";
import { selfHostedPod } from "../../../../../cluster/manifests/control-plane";
import { type CredentialHolder, credentialHolders } from "../../../../../cluster/manifests/control-plane/secrets";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { fakeCredentials, firstController, fixedCluster, withCandidates } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster({ workerPools: [{ name: "a" }] });
const secrets = fakeCredentials(cluster);
const options = {
    machine: firstController(cluster),
    secrets,
    agent: "agent text",
    checkpointer: "program",
    nodeApprover: "approver",
};
const texts = diffable(bootstrapAssets(cluster, options));
const contents = (name: string) => texts[`${paths.bootstrap}/${name}`]!.replace(/^mode.*\n/, "");
const plan = JSON.parse(contents("bootstrap.json"));

describe("the bootstrap's assets", () => {
    it("lie where reviewed, with modes as reviewed", () => {
        const kind = (text: string) => /^mode (\d+)/.exec(text)?.[1] ?? (text.startsWith("link") ? "link" : "unit");
        const listed = Object.entries(texts).map(([path, text]) => `${kind(text)} ${path}`);
        golden(__dirname, "bootstrap-assets", `${listed.join("\n")}\n`);
    });

    it("make the first kubelet join through its own apiserver, because there is no other", () => {
        assert.match(texts[paths.bootstrapKubeconfig]!, /"server": "https:\/\/127\.0\.0\.1:6443"/);
    });

    it("are readable only by root, because they include every key of the cluster", () => {
        for (const [path, text] of Object.entries(texts)) {
            if (path.startsWith(paths.bootstrap)) assert.match(text, /^mode 0[67]00\n/, path);
            if (text.includes("PRIVATE KEY")) assert.match(text, /^mode 0600\n/, path);
        }
    });

    it("contain an etcd member certificate for this machine only", () => {
        assert.match(texts[`${paths.etcdPki}/member.crt`]!, /etcd member c-controller-0/);
        assert.doesNotMatch(JSON.stringify(texts), /etcd CA\\n-----END PRIVATE/);
    });

    it("have the manifests in files whose order is that of applying them", () => {
        const files = Object.keys(texts)
            .filter((path) => path.startsWith(`${paths.bootstrap}/manifests/`))
            .map((path) => path.split("/").at(-1)!);
        const kinds = files.sort().map((file) => JSON.parse(contents(`manifests/${file}`)).kind);
        const isWorkload = (kind: string) => /DaemonSet|Deployment/.test(kind);
        const blocks = kinds.map(isWorkload).filter((is, index, all) => is !== all[index - 1]);
        // Prerequisites of the control plane, the control plane, prerequisites of the add-ons, the add-ons.
        assert.deepEqual(blocks, [false, true, false, true], kinds.join());
    });

    it("apply only the control plane and its checkpointer before it serves", () => {
        const early = Object.keys(texts).filter((path) => /\/manifests\/0\d\d-(daemonset|deployment)-/.test(path));
        assert.deepEqual(
            early.map((path) => path.replace(/.*kube-system-(.*)\.json/, "$1")).sort(),
            [...credentialHolders, "checkpointer", "node-approver"].sort(),
        );
    });

    it("have every manifest of the self-hosted set, marked as ours", () => {
        for (const { group, manifest } of bootstrapManifests(cluster, options)) {
            const file = `manifests/${group}-${manifestKey(manifest).replaceAll("/", "-")}.json`;
            assert.deepEqual(JSON.parse(contents(file)), JSON.parse(JSON.stringify(owned(manifest))), file);
        }
    });

    it("have the record of controllers before the policies that need it and the tokens of candidates", () => {
        const all = bootstrapManifests(withCandidates(), { ...options, secrets: fakeCredentials(withCandidates()) });
        const groupOf = (key: string) => all.find(({ manifest }) => manifestKey(manifest).endsWith(key))!.group;
        const record = groupOf("kube-system/controllers");
        for (const later of ["candidates.static-pods.tradewind.dev", "kube-system/bootstrap-token-abcde0"]) {
            assert.ok(record < groupOf(later), later);
        }
        assert.ok(!bootstrapManifests(cluster, options).some(({ group }) => group === record));
    });

    it("have a token for each machine", () => {
        const tokens = bootstrapManifests(cluster, options).filter(({ manifest }) =>
            manifest.metadata.name.startsWith("bootstrap-token-"),
        );
        assert.deepEqual(
            tokens.map(({ manifest }) => manifest.metadata.name),
            ["bootstrap-token-abcde0", "bootstrap-token-abcde1"],
        );
    });
});

describe("the bootstrap's plan", () => {
    it("is as reviewed", () => golden(__dirname, "bootstrap-plan", plan));

    it("is one that the agent accepts", () => assert.deepEqual(planProblems(plan, planSchema), []));

    it("contain the path of the machine's cloud identity if a cloud controller runs", () => {
        const of = fixedCluster({ cloudProvider: "aws" });
        const text = diffable(
            bootstrapAssets(of, {
                machine: firstController(of),
                secrets: fakeCredentials(of),
                agent: "",
                checkpointer: "",
                nodeApprover: "",
            }),
        )["/opt/tradewind/bootstrap/bootstrap.json"]!;
        assert.match(text, /"kubeletIdentity": "\/etc\/kubernetes\/kubelet\.conf\.d\/20-provider-id\.conf"/);
    });

    it("holds no secret", () => assert.doesNotMatch(JSON.stringify(plan), /BEGIN|0123456789abcde/));

    it("check each generation where it listens", () => {
        const addresses = (of: (holder: CredentialHolder) => { address: string }) =>
            credentialHolders.map((holder) => of(holder).address);
        const planned = (list: { address: string }[]) => list.map(({ address }) => address);
        assert.deepEqual(
            planned(plan.selfHosted),
            addresses((holder) => selfHostedPod(cluster, holder, secrets)),
        );
    });

    it("refer to existing files", () => {
        for (const name of Object.values<string>(plan.credentials)) assert.ok(contents(name), name);
    });
});

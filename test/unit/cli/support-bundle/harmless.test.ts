import assert from "node:assert/strict";
import { Gathered } from "../../../../cli/support-bundle/gathered";
import {
    harmless,
    harmlessJournal,
    harmlessStaticPods,
    isOwn,
    isOwnContainer,
} from "../../../../cli/support-bundle/harmless";
import { isOwnFile } from "../../../../cli/support-bundle/machines";
import { inCluster } from "../../../../dev/reference/permissions";
import { podSpecOf } from "../../components/in-cluster/fixture";

interface Containers {
    readonly containers: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
}

/** No pattern recognizes it. */
const secret = "Xq7harmlesslooking";

const foreign = {
    metadata: {
        name: "billing",
        namespace: "kube-system",
        managedFields: [{ secret }],
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": secret, "example.com/note": secret },
    },
    spec: {
        template: {
            metadata: { annotations: { "example.com/note": secret } },
            spec: {
                nodeName: "c-default-0",
                volumes: [{ csi: { volumeAttributes: { secret } } }],
                initContainers: [{ name: "a", image: "a:1", args: [secret] }],
                containers: [
                    {
                        name: "coredns",
                        image: "b:1",
                        command: ["run", secret],
                        args: [secret],
                        env: [{ name: "PATH", value: secret }],
                        livenessProbe: { httpGet: { httpHeaders: [{ name: "X", value: secret }] } },
                        lifecycle: { preStop: { exec: { command: [secret] } } },
                    },
                ],
            },
        },
    },
};
const pod = {
    metadata: { name: "billing-x", namespace: "kube-system" },
    spec: foreign.spec.template.spec,
    status: { containerStatuses: [{ name: "a", state: { terminated: { exitCode: 1, message: secret } } }] },
};

describe("the harmless part of what a support bundle collects", () => {
    it("knows all workloads of the stack and their containers", () => {
        for (const manifest of Object.values(inCluster).flat()) {
            const spec = podSpecOf(manifest) as Containers | undefined;
            const { name } = manifest.metadata;
            for (const container of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]) {
                assert.ok(isOwnContainer(name, container.name), `${name}/${container.name}`);
            }
        }
    });

    for (const [what, answer] of Object.entries({
        Deployment: foreign,
        pod,
        "list of pods": { items: [pod] },
        "event of a pod": { metadata: {}, involvedObject: { kind: "Pod", name: "billing-x" }, message: secret },
        Node: { metadata: { name: "c-default-0", annotations: { "example.com/note": secret } } },
    })) {
        it(`has nothing that others put into a ${what}`, () => {
            assert.doesNotMatch(JSON.stringify(harmless(answer)), new RegExp(secret));
        });
    }

    it("keeps arguments, known variables and annotations of the stack's own", () => {
        const container = { name: "coredns", args: ["-conf", "/etc"], env: [{ name: "PATH", value: "/bin" }] };
        const annotations = { "tradewind.dev/files": "abc" };
        const own = {
            metadata: { name: "coredns-x", namespace: "kube-system", annotations },
            spec: { containers: [container] },
        };
        assert.deepEqual(harmless(own), own);
    });

    it("has no variable that the stack does not set, and keeps where others' pods run", () => {
        const env = [
            { name: "EXTRA", value: secret },
            { name: "REF", valueFrom: {} },
        ];
        const own = { metadata: { name: "coredns-x" }, spec: { containers: [{ name: "coredns", env }] } };
        assert.match(JSON.stringify(harmless(own)), /"EXTRA","value":"\[left out\]"/);
        assert.match(JSON.stringify(harmless(pod)), /"nodeName":"c-default-0"/);
    });

    it("has no logs of others' pods", () => {
        const path = (name: string) => `c-0/pods/${name}/0.log`;
        assert.ok(isOwnFile(path("kube-system_coredns-x_uid/coredns")) && isOwnFile("c-0/journal.log"));
        for (const name of [
            "default_coredns-x_uid/coredns",
            "kube-system_billing-x_uid/a",
            "kube-system_coredns-x_uid/a",
        ]) {
            assert.equal(isOwnFile(path(name)), false, name);
        }
        assert.equal(isOwn("billing"), false);
    });

    it("has nothing of others' static pods", () => {
        const file = (path: string, of: object) => `==> ${path}\n${JSON.stringify(of)}\n`;
        const etcd = { metadata: { name: "etcd" }, spec: { containers: [{ name: "etcd", args: ["--name=c"] }] } };
        const text = harmlessStaticPods(
            `total 2\n${file("etcd.json", etcd)}${file("own.json", pod)}==> a.yaml\na: ${secret}\n`,
        );
        assert.doesNotMatch(text, new RegExp(secret));
        assert.match(text, /--name=c/);
    });

    it("has nothing that a kubelet quotes of others' pods", () => {
        const line = (name: string) => `kubelet[1]: "Probe failed" pod="${name}" output="a \\"${secret}\\" b"`;
        assert.doesNotMatch(harmlessJournal(line("shop/billing-x")), new RegExp(secret));
        assert.match(harmlessJournal(line("kube-system/coredns-x")), new RegExp(secret));
    });
});

describe("known shapes of secrets in a log line", () => {
    const s = "S3cretS3cretS3cretS3cret";
    for (const line of [
        ...["DB_PASS", "SMTP_PWD", "GITHUB_PAT", "REDIS_AUTH", "JWT_SIGNING", "CREDENTIALS", "DD_APP_KEY"].map(
            (k) => `${k}=${s}`,
        ),
        ...["API_KEY", "DB_PASSWORD", "VAULT_TOKEN", "PGPASSWORD"].map((name) => `${name}=${s}`),
        `SENTRY_DSN=https://${s}@sentry.example/1`,
        `SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T0/B0/${s}`,
        `pwd: ${s}`,
        `Cookie: session=${s}; b=${s}`,
        `Authorization: token ghp_${s}`,
        `Authorization: Digest username="a", response="${s}"`,
        `xoxb-1234-${s}`,
        `hvs.${s}`,
        `github_pat_${s}`,
        `sk-proj-${s}`,
        `AGE-SECRET-KEY-1${s.toUpperCase()}`,
        `user admin password ${s}`,
        `apikey=${s}`,
        `clientSecret: ${s}`,
        `postgres://user:${s}/${s}@db/x`,
        `redis://:${s}@db`,
        `curl -u admin:${s} http://x`,
        `Server=db;User Id=sa;Password=${s};`,
        `AccountName=a;AccountKey=${s}==`,
        `root:${s}@tcp(db:3306)/x`,
        `<password>${s}</password>`,
        `{"auths":{"registry.example":{"auth":"${s}"}}}`,
        `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`,
        `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${s}\n-----END PGP PRIVATE KEY BLOCK-----`,
    ]) {
        it(`are redacted: ${line.replaceAll(s, "…").split("\n")[0]}`, () => {
            const found = new Gathered();
            found.add("a.log", line);
            assert.doesNotMatch(String(found.entries("b")[0]!.contents), /S3cretS3cret/i);
        });
    }
});

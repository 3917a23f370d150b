import assert from "node:assert/strict";
import { type ClusterFacts, known, unknown } from "../../../../../cli/status/facts";
import { judge } from "../../../../../cli/status/judge";
import { healthy, machine, silentMember } from "../sample";
import { cases, certificate } from "./cases";

describe("the verdict of status", () => {
    for (const [title, facts, expected] of cases) {
        it(`when ${title}: ${expected.slice(0, 4).join(", ") || "healthy"}`, () => {
            const { isHealthy, findings } = judge(facts);
            const codes = findings.map(({ severity, code }) => (severity === "warning" ? `!${code}` : code));
            assert.deepEqual(codes, expected, JSON.stringify(findings, undefined, 2));
            assert.equal(
                isHealthy,
                expected.every((code) => code.startsWith("!")),
            );
        });
    }

    it("quotes what failed programs printed last", () => {
        const lastWords = { kubelet: "no space left.", containerd: "bad config", etcd: "corrupt" };
        const inside = known({ kubelet: "does not answer", containerd: "failed", lastWords });
        const facts = healthy({
            machines: known([machine("c-0", { inside })]),
            etcd: known({ members: [silentMember("c-0")], alarms: [] }),
        });
        const messages = judge(facts).findings.map(({ message }) => message);
        for (const words of ["no space left", "bad config", "corrupt"]) {
            assert(
                messages.some((message) => message.endsWith(`; it last printed: ${words}.`)),
                `${words} in ${messages.join("\n")}`,
            );
        }
    });

    it("advises another way for a kubelet's certificate that has ended than for one that will", () => {
        const advice = (name: string, end: string, change: Partial<ClusterFacts> = {}) =>
            judge(healthy({ certificates: [certificate(name, end, name !== "kubelet")], ...change })).findings[0]!
                .advice!;
        const [soon, ended] = ["2026-11-24T06:00:00Z", "2026-11-20T06:00:00Z"];
        assert.match(
            advice("kubelet client", soon),
            /renew it by itself.*: journalctl -u kubelet -g certificate -n 50$/,
        );
        // An up keeps the stored end of a token.
        assert.match(advice("kubelet client", ended), /: tradewind recover --from api$/);
        assert.doesNotMatch(advice("kubelet client", ended), /pulumi up|journalctl/);
        const workloads = known([{ kind: "DaemonSet", name: "serving-approver", desired: 1, present: 1 } as const]);
        assert.match(advice("kubelet", soon), /self-signed.*kubelet\.\{crt,key\}/);
        assert.match(advice("kubelet", ended, { workloads }), /kubectl get csr; .* -l k8s-app=serving-approver/);
    });

    it("has the cloud's own reason for a pool that lacks nodes, if it was read", () => {
        const of = (launches?: ClusterFacts["launches"]) => {
            const facts = healthy({
                pools: {},
                shortPools: [{ name: "a", size: 2, present: 0 }],
                ...(launches && { launches }),
            });
            return judge(facts).findings.find(({ code }) => code === "pool-short")!;
        };
        const group = "c-a";
        const failures = ["Unsupported: no t3.medium. Launching EC2 instance failed.", "another", "a third"];
        assert.equal(
            of({ a: known({ group, machines: [], failures }) }).message,
            "The pool a has 0 of 2 nodes. Its group c-a cannot launch instances: Unsupported: no t3.medium. Launching EC2 instance failed.; another",
        );
        const running = of({ a: known({ group, machines: ["i-0", "i-1"], failures }) });
        assert.equal(running.message, "The pool a has 0 of 2 nodes. Its group c-a has 2 instances.");
        assert.doesNotMatch(running.advice!, /describe-scaling-activities/);
        const unread = of({ a: unknown("no AWS credentials were found") });
        assert.match(unread.message, /nodes\. The cloud's reason could not be read: no AWS credentials were found\.$/);
        assert.match(unread.advice!, /describe-scaling-activities/);
        assert.match(of().advice!, /With --stack and credentials of AWS, this command reads the reason itself\.$/);
    });

    it("consists of sentences with advice", () => {
        const findings = cases.flatMap(([, facts]) => judge(facts).findings);
        for (const { message, advice } of findings) {
            assert.match(message, /^(The|No|This|containerd|etcd)\b.*\.$/);
            assert.doesNotMatch(`${message} ${advice ?? ""}`, /undefined|\.\.(?!\.)|NaN|\[object/);
        }
        const codes = new Set(findings.map(({ code }) => code));
        assert(codes.size > 25, `table covers ${codes.size} kinds of findings`);
    });
});

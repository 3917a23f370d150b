import assert from "node:assert/strict";
import { answers } from "../../../../cli/verify-cloud/questions";
import type { Step } from "../../../../cli/verify-cloud/report";

const step = (name: string, outcome: Step["outcome"], detail?: string): Step => ({
    ...{ name, what: "", outcome, seconds: 1 },
    ...(detail && { detail }),
});

describe("the questions that tradewind verify-cloud answers", () => {
    const of = (...given: Parameters<typeof answers>) => Object.fromEntries(answers(...given));
    const ecdsa = "Do HTTPS health checks of network load balancers accept ECDSA certificates?";
    const eleven = "Can a LoadBalancer Service have more than ten backends?";

    it("are answered by the outcomes of steps", () => {
        const steps = [step("target health", "failed", "i-1 is unhealthy"), step("ready", "passed")];
        const said = of({ cloud: "aws", config: {}, steps });
        assert.equal(said[ecdsa], "no, or `target health` failed for another reason: i-1 is unhealthy");
        assert.ok(Object.values(said).includes("yes"));
        assert.equal(said[eleven], undefined);
    });

    it("say what they need if they were not tried", () => {
        const byHand = answers({ cloud: "digitalocean", config: {}, steps: [step("ready", "passed")] });
        assert.ok(
            byHand.some(
                ([question, answer]) => /ICMPv6/.test(question) && /^not tried: needs `ipv6: true`/.test(answer),
            ),
        );
        const [config, steps] = [{ "tradewind:apiHealthCheck": "tcp" }, [step("target health", "passed")]];
        assert.equal(of({ cloud: "aws", config, steps })[ecdsa], "not tried: needs no `apiHealthCheck: tcp`");
        const service = [step("LoadBalancer Service", "passed", "answered hello")];
        const workers = (count: number) => ({ "tradewind:workerPools": [{ name: "verify", count }] });
        const asked = (count: number) => of({ cloud: "digitalocean", config: workers(count), steps: service })[eleven];
        assert.deepEqual([1, 11].map(asked), [
            "not tried: needs `--workers 11` and `cloudController: true`",
            "yes: answered hello",
        ]);
    });
});

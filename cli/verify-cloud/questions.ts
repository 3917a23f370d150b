import type { CloudName } from "../../cluster/clouds";
import type { StackConfig } from "../../local/stack-config";

/** What only a real account can answer. */
interface Question {
    readonly cloud?: CloudName;
    readonly question: string;
    /** The step whose success is a yes. @default none: only by hand */
    readonly step?: string;
    /** Whether that step tries it with this configuration. @default always */
    readonly isTried?: (config: StackConfig) => boolean;
    /** What tries it. @default nothing has to be set */
    readonly how?: string;
}

const workersOf = (config: StackConfig) =>
    ((config["tradewind:workerPools"] ?? []) as { count?: number }[]).reduce((sum, { count = 0 }) => sum + count, 0);

const questions: readonly Question[] = [
    {
        question: "Do the images of machines and containers, and the machine types, exist under their names?",
        step: "ready",
    },
    {
        cloud: "aws",
        question: "Do HTTPS health checks of network load balancers accept ECDSA certificates?",
        step: "target health",
        isTried: (config) => config["tradewind:apiHealthCheck"] !== "tcp",
        how: "no `apiHealthCheck: tcp`",
    },
    {
        cloud: "digitalocean",
        question: "Does a firewall without a rule for ICMPv6 let in what IPv6 needs of it?",
        how: "`ipv6: true` and, minutes after its boot, `curl -6` to any site on a node: no step uses IPv6",
    },
    {
        cloud: "digitalocean",
        question: "Can a LoadBalancer Service have more than ten backends?",
        step: "LoadBalancer Service",
        isTried: (config) => workersOf(config) > 10,
        how: "`--workers 11` and `cloudController: true`",
    },
];

/** The part of a run's result that answers them. */
interface Tried {
    readonly cloud: CloudName;
    readonly config: StackConfig;
    readonly steps: readonly { readonly name: string; readonly outcome: string; readonly detail?: string }[];
}

/** The questions with what a run says about them. */
export function answers({ cloud, config, steps }: Tried): readonly (readonly [question: string, answer: string])[] {
    return questions
        .filter((each) => each.cloud === undefined || each.cloud === cloud)
        .map(({ question, step, isTried = () => true, how }) => {
            const doneStep = step && isTried(config) ? steps.find(({ name }) => name === step) : undefined;
            const detail = doneStep?.detail ? `: ${doneStep.detail}` : "";
            if (doneStep?.outcome === "passed") return [question, `yes${detail}`];
            if (doneStep?.outcome === "failed")
                return [question, `no, or \`${step}\` failed for another reason${detail}`];
            return [question, `not tried${how ? `: needs ${how}` : ""}`];
        });
}

import assert from "node:assert/strict";
import { ensureEngine } from "../../../machines";
import { callsPath } from "../../../simulator/clouds/aws/services/query/protocol";
import { describeLong } from "../../takes-long";
import { leavesNothing, replacesThird } from "../candidates/lost-in-cloud";
import { readText } from "../cluster";
import { simulatedAws } from "../simulated-aws";
import { SimulatedCluster } from "../simulated-cluster";

const cluster = new SimulatedCluster("awscandidates", simulatedAws);
const controller = (index: number) => `awscandidates-controller-${index}`;
const candidate = "awscandidates-default-0";

/** Calls EC2 with the role of the machine's instance. */
const describesInstances = `set -eu
from=http://169.254.169.254/latest
token=$(curl -fsS -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' $from/api/token)
get() { curl -fsS -H "X-aws-ec2-metadata-token: $token" "$from/meta-data/iam/security-credentials/$1"; }
credentials=$(get "$(get '')")
field() { printf '%s\\n' "$credentials" | sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p"; }
curl -sS --aws-sigv4 aws:amz:eu-central-1:ec2 --user "$(field AccessKeyId):$(field SecretAccessKey)" \\
    -H "x-amz-security-token: $(field Token)" --data 'Action=DescribeInstances&Version=2016-11-15' \\
    https://ec2.eu-central-1.amazonaws.com/`;

describeLong("a lost controller and a candidate on a simulated AWS", function () {
    this.timeout(600_000);
    const idOf = (node: string) =>
        Object.entries(cluster.account.resources.instances).find(([, { machine }]) => machine === node)![0];
    /** Nodes of the pods of an agent that needs the role of the controllers' instances. */
    const placeOf = async (agent: string) => {
        const nodes = ["-o", "jsonpath={.items[*].spec.nodeName}"];
        return (await cluster.kubectl("-n", "kube-system", "get", "pods", "-l", `k8s-app=${agent}`, ...nodes)).split(
            " ",
        );
    };
    /** Calls of the cluster's programs that the cloud refused. */
    const refused = () =>
        readText(callsPath(cluster.account.path))
            .split("\n")
            .filter((line) => line.includes("is not authorized"));

    before(async () => {
        await ensureEngine();
        await cluster.prepare(() => ({
            zones: ["a", "b"],
            controllers: { count: 3, candidates: ["default"], replaceAfter: "20s" },
            workerPools: [{ name: "default" }],
            repair: {},
        }));
        await cluster.up();
        await cluster.ready();
    });
    after(() => cluster.destroy());

    it("has the candidate behind the API's load balancer beforehand, so that no one needs the cloud's API", () => {
        const names = cluster.account.all("targets").map(({ instance }) => instance);
        assert.deepEqual(names.sort(), [...[0, 1, 2].map(controller), candidate].map(idOf).sort());
    });

    replacesThird(cluster);

    it("keep what needs the role of the controllers' instances on those", async () => {
        for (const agent of ["serving-approver", "node-repairer"]) {
            const [node, ...others] = await placeOf(agent);
            assert.deepEqual(others, []);
            assert.ok(node !== candidate, `${agent} runs on ${node}`);
        }
        assert.deepEqual(refused(), []);
    });

    it("do not give the candidate the controllers' permissions in the cloud", async () => {
        assert.match(await cluster.exec(controller(0), describesInstances), /<DescribeInstancesResponse/);
        assert.match(await cluster.exec(candidate, describesInstances), /UnauthorizedOperation/);
    });

    leavesNothing(cluster);
});

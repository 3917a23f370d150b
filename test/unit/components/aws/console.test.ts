import assert from "node:assert/strict";
import { consoleOfInstance } from "../../../../components/aws/in-cluster";

describe("the console of an instance", () => {
    it("is read with a command that names it", () => {
        assert.deepEqual(consoleOfInstance("eu-central-1", "i-1"), {
            byHand: "`aws ec2 get-console-output --region eu-central-1 --instance-id i-1 --latest --output text`",
            ec2: { region: "eu-central-1", instanceId: "i-1" },
        });
    });
});

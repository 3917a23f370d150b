import assert from "node:assert/strict";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked } from "../query/asked";

const version = "2016-11-15";

describe("the console of an instance of a simulated account", () => {
    it("requires permission, and an existing instance", async () => {
        const { ask } = asked(ec2, version);
        assert.equal((await ask("GetConsoleOutput", { InstanceId: "i-1" })).code, "UnauthorizedOperation");
        assert.equal((await ask("GetConsoleOutput", { InstanceId: "i-9" })).code, "InvalidInstanceID.NotFound");
    });
});

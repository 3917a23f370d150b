import assert from "node:assert/strict";
import { keepGroups } from "../../../../../../simulator/clouds/aws/keep-groups";
import { services } from "../../../../../../simulator/clouds/aws/services";

describe("the services of a simulated AWS", () => {
    const answers = (host: string) => services.apis.filter(({ hosts }) => hosts.test(host)).length;

    for (const host of ["ec2", "elasticloadbalancing", "s3", "bucket.s3", "api.ecr", "123456789012.dkr.ecr"]) {
        it(`include one that answers as ${host}`, () => assert.equal(answers(`${host}.eu-central-1.amazonaws.com`), 1));
    }

    it("keep groups at their sizes", () => assert.ok(services.work.includes(keepGroups)));
});

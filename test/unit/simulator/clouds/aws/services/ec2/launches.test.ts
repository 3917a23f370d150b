import assert from "node:assert/strict";
import { autoscalerPermissions } from "../../../../../../../components/aws/iam/driver-permissions";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked } from "../query/asked";

const prepare = () => {
    const all = asked(ec2, "2016-11-15", autoscalerPermissions({ cluster: "c", region: "eu-central-1" }));
    const spec = (instanceType: string) => ({ ami: "ami-1", instanceType, userData: "{}", groups: [] });
    all.account.put("launchTemplates", "lt-1", { name: "c-a", versions: [spec("t3.small"), spec("t3.large")] });
    return all;
};

describe("what future instances of a simulated account will be like", () => {
    it("is described by type", async () => {
        const { ask } = prepare();
        const { text } = await ask("DescribeInstanceTypes", { "InstanceType.1": "t4g.medium" });
        assert.match(text, /t4g\.medium.*<defaultVCpus>2<.*<sizeInMiB>4096<.*<item>arm64</s);
        assert.doesNotMatch(text, /t3/);
        assert.match((await ask("DescribeInstanceTypes")).text, /t3\.small.*m5\.large/s);
        assert.equal((await ask("DescribeInstanceTypes", { "InstanceType.1": "z9.huge" })).code, "InvalidInstanceType");
    });

    it("is described by version of a launch template", async () => {
        const { ask } = prepare();
        const version = (name: string, number: string) =>
            ask("DescribeLaunchTemplateVersions", { LaunchTemplateName: name, "LaunchTemplateVersion.1": number });
        assert.match((await version("c-a", "2")).text, /<versionNumber>2<.*<instanceType>t3\.large</s);
        assert.equal((await version("c-a", "3")).code, "InvalidLaunchTemplateId.VersionNotFound");
        assert.equal((await version("c-z", "1")).code, "InvalidLaunchTemplateName.NotFoundException");
    });
});

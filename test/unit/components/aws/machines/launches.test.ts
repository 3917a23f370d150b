import assert from "node:assert/strict";
import { parseXml } from "../../../../../clients/aws/xml";
import { failuresIn, launchesOf } from "../../../../../components/aws/machines/launches";
import { groups } from "../../../simulator/clouds/aws/services/auto-scaling/example-groups";

const activity = (StatusCode: string, StatusMessage = "", Description = "Launching a new EC2 instance: i-1") =>
    `<member><Description>${Description}</Description><StatusCode>${StatusCode}</StatusCode>${StatusMessage && `<StatusMessage>${StatusMessage}</StatusMessage>`}</member>`;
const answer = (...all: string[]) =>
    parseXml(
        `<R><DescribeScalingActivitiesResult><Activities>${all.join("")}</Activities></DescribeScalingActivitiesResult></R>`,
    );

describe("launches of an Auto Scaling group", () => {
    it("have the group's instances, and why others failed", async () => {
        const { account, ask } = groups();
        const failures = { "no capacity. Launching EC2 instance failed.": "2100-01-01T00:00:00Z" };
        account.change("autoScalingGroups", "c-a", (now) => ({ ...now, failures }));
        const query = async (_: unknown, action: string, form?: Readonly<Record<string, string>>) =>
            parseXml((await ask(action, form)).text);
        const { machines, failures: messages } = await launchesOf(query, "c-a");
        assert.deepEqual([machines, messages], [["i-1"], Object.keys(failures)]);
    });

    it("report each failure since the last success once, and no failed termination", () => {
        const failed = activity("Failed", "no capacity");
        assert.deepEqual(
            failuresIn(
                answer(
                    activity("InProgress"),
                    failed,
                    failed,
                    activity("Failed", "stuck", "Terminating EC2 instance: i-1"),
                    activity("Cancelled", "quota"),
                    activity("Successful"),
                    activity("Failed", "long ago"),
                ),
            ),
            ["no capacity", "quota"],
        );
        assert.deepEqual(failuresIn(answer()), []);
    });
});

import assert from "node:assert/strict";
import { describeInstances, instancesIn } from "../../../../clients/aws/ec2-instances";

const statesIn = (xml: string) => instancesIn(xml).map(({ id, state }) => [id, state]);

const namespace = 'xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"';
const answer = (set: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<DescribeInstancesResponse ${namespace}>\n    <requestId>r</requestId>\n    ${set}\n</DescribeInstancesResponse>\n`;
const instance = (id: string, state: string) => `
            <item>
                <instanceId>${id}</instanceId>
                <imageId>ami-0</imageId>
                <instanceState>
                    <code>48</code>
                    <name>${state}</name>
                </instanceState>
                <tagSet><item><key>Name</key><value>&lt;name&gt;</value></item></tagSet>
                <placement><availabilityZone>eu-central-1a</availabilityZone><groupName/></placement>
            </item>`;
const reservation = (...instances: string[]) =>
    `<item><reservationId>r-1</reservationId><instancesSet>${instances.join("")}</instancesSet></item>`;

describe("a query for EC2 instances", () => {
    it("uses a filter, so that an unknown ID is not an error", () => {
        assert.deepEqual(describeInstances(["i-1", "i-2"], "a+b=="), {
            Action: "DescribeInstances",
            Version: "2016-11-15",
            MaxResults: "1000",
            "Filter.1.Name": "instance-id",
            "Filter.1.Value.1": "i-1",
            "Filter.1.Value.2": "i-2",
            NextToken: "a+b==",
        });
    });

    it("may find them by their addresses", () => {
        assert.equal(
            describeInstances(["10.0.0.4"], undefined, "private-ip-address")["Filter.1.Name"],
            "private-ip-address",
        );
    });
});

describe("EC2's response", () => {
    it("contains the states of instances in several reservations", () => {
        const set = [
            reservation(instance("i-1", "running"), instance("i-2", "terminated")),
            reservation(instance("i-3", "shutting-down")),
        ];
        assert.deepEqual(statesIn(answer(`<reservationSet>${set.join("\n")}</reservationSet>`)), [
            ["i-1", "running"],
            ["i-2", "terminated"],
            ["i-3", "shutting-down"],
        ]);
    });

    for (const set of ["<reservationSet/>", "<reservationSet />", "<reservationSet></reservationSet>"]) {
        it(`contains no instances: ${set}`, () => assert.deepEqual(statesIn(answer(set)), []));
    }

    const whole = answer(`<reservationSet>${reservation(instance("i-1", "running"))}</reservationSet>`);
    const refused: Record<string, string> = {
        nothing: "",
        "a page of a proxy": "<html><body>Welcome</body></html>",
        "another answer of EC2": `<DescribeTagsResponse ${namespace}><tagSet/></DescribeTagsResponse>`,
        "one without its list": answer(""),
        "one that is cut off": whole.slice(0, -40),
        "one that is cut off within an instance": whole.slice(0, 300),
        "an instance without a state": whole.replace(/<instanceState>.*<\/instanceState>/s, ""),
        "an instance without an id": whole.replace("i-1<", "<"),
    };
    for (const [what, xml] of Object.entries(refused)) {
        it(`is not ${what}`, () => assert.throws(() => statesIn(xml), { name: "Ec2Error" }));
    }
});

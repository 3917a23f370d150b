import assert from "node:assert/strict";
import { elementsAt, parseXml, textAt } from "../../../../clients/aws/xml";

const answer = parseXml(`<?xml version="1.0" encoding="UTF-8"?>
<DescribeVolumesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
    <volumeSet>
        <item><volumeId>vol-1</volumeId><attachmentSet/><tagSet><item><key>a &amp; b</key><value/></item></tagSet></item>
        <item><volumeId>vol-2</volumeId></item>
    </volumeSet>
    <nextToken></nextToken>
</DescribeVolumesResponse>
`);

describe("XML of AWS services", () => {
    it("provides elements and texts by path", () => {
        const volumes = elementsAt(answer, "volumeSet", "item");
        assert.deepEqual(
            volumes.map((each) => textAt(each, "volumeId")),
            ["vol-1", "vol-2"],
        );
        assert.equal(textAt(volumes[0]!, "tagSet", "item", "key"), "a & b");
        assert.deepEqual(elementsAt(volumes[0]!, "attachmentSet", "item"), []);
    });

    it("has no text for empty or missing elements", () => {
        for (const name of ["nextToken", "other"]) assert.equal(textAt(answer, name), undefined);
    });

    for (const [what, text] of [
        ["nothing", ""],
        ["a text", "no such host"],
        ["a truncated response", "<a><b>1</b>"],
        ["ends that do not fit", "<a><b></a></b>"],
    ] as const) {
        it(`is not ${what}`, () => assert.throws(() => parseXml(text), /the response must be XML \(got /));
    }
});

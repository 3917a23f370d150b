import assert from "node:assert/strict";
import { delegationProblem } from "../../../components/delegation";

const digitalOcean = { title: "DigitalOcean", nameServers: ["ns1.digitalocean.com", "ns2.digitalocean.com"] };
const route53 = {
    title: "the hosted zone Z1 of Route 53",
    nameServers: ["ns-1.awsdns-01.org.", "ns-2.awsdns-02.net."],
};

describe("the delegation of a domain", () => {
    it("is to the cloud's name servers, as far as can be looked up", () => {
        assert.equal(delegationProblem("example.com", digitalOcean, ["NS2.digitalocean.com."]), undefined);
        assert.equal(delegationProblem("example.com", route53, ["ns-1.awsdns-01.org"]), undefined);
        assert.equal(delegationProblem("example.com", digitalOcean, undefined), undefined);
        assert.equal(delegationProblem("example.com", { ...route53, nameServers: [] }, []), undefined);
    });

    it("is reported with the name servers that it has, and those to set", () => {
        assert.match(
            delegationProblem("example.com", digitalOcean, ["ns2.other.net", "ns1.other.net"])!,
            /^domain example\.com is not delegated to DigitalOcean, .*: its name servers are ns1\.other\.net, ns2\.other\.net\. Set ns1\.digitalocean\.com, /,
        );
        // Another zone of the same name, or the same zone before it was recreated.
        assert.match(
            delegationProblem("example.com", route53, ["ns-9.awsdns-09.com"])!,
            / is not delegated to the hosted zone Z1 of Route 53, .* are ns-9\..*\. Set ns-1\.awsdns-01\.org, ns-2\.awsdns-02\.net at /,
        );
        assert.match(
            delegationProblem("k.example.com", digitalOcean, [])!,
            /: it has no name servers\. .* NS records in its parent zone$/,
        );
    });
});

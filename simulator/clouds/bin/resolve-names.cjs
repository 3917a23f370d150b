// The DNS of a simulated cloud, for Node programs started by Pulumi: they also resolve the account's records.
const dns = require("node:dns");
const { readFileSync } = require("node:fs");
const { isIPv4 } = require("node:net");

const { lookup } = dns;
dns.lookup = (name, options, callback) => {
    const addresses = addressesOf(name);
    if (addresses.length === 0) return lookup(name, options, callback);
    const done = typeof options === "function" ? options : callback;
    const answer = options?.all ? [addresses.map((address) => ({ address, family: 4 }))] : [addresses[0], 4];
    process.nextTick(done, null, ...answer);
};

const { resolveNs } = dns.promises;
dns.promises.resolveNs = async (domain) => {
    const { domains = [], zones = {}, nameServers = {}, resources = {} } = account();
    if (nameServers[domain]) return nameServers[domain];
    // As `getZone` of the simulated AWS has them.
    if (Object.values(zones).includes(domain)) return ["ns-1.awsdns-01.org"];
    if (![...domains, ...Object.keys(resources.domains ?? {})].includes(domain)) return resolveNs(domain);
    return [1, 2, 3].map((number) => `ns${number}.digitalocean.com`);
};

function account() {
    try {
        return JSON.parse(readFileSync(process.env.TRADEWIND_SIMULATED_ACCOUNT, "utf8"));
    } catch {
        return {};
    }
}

/**
 * AWS' records have full names; DigitalOcean has one record per value.
 *
 * Pulumi runs outside the VPC, so a name is that of a public zone if it is in both.
 */
function addressesOf(name) {
    try {
        const { resources, privateZones = {} } = account();
        const { records = {}, dnsRecords = {}, hostedZones = {} } = resources;
        const isPrivate = (id) => {
            const [zone] = id.split("_");
            return zone in privateZones || (zone in hostedZones && hostedZones[zone].vpcs?.length !== 0);
        };
        const named = Object.entries(records).filter(([, each]) => each.name === name);
        const outside = named.filter(([id]) => !isPrivate(id));
        const all = [
            ...(outside.length > 0 ? outside : named).map(([, each]) => each),
            ...Object.values(dnsRecords).map((each) => ({ name: `${each.name}.${each.domain}`, address: each.value })),
        ];
        // Machines have no IPv6 addresses.
        return all.filter((each) => each.name === name && isIPv4(each.address)).map(({ address }) => address);
    } catch {
        return [];
    }
}

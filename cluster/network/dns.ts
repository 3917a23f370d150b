import { Address4, Address6 } from "ip-address";
import type { Dns } from "../model";
import type { DnsOptions } from "../options";
import { invalid, mustNot, requireOneOf } from "../validate";
import { requireServerBlocks } from "./server-blocks";

const spreads: readonly Dns["spread"][] = ["required", "preferred"];

/** Source: CoreDNS' documentation of the plugin `forward`. */
const mostUpstreams = 15;

/** Throws `network.dns... must be <legal> (got <value>)`. */
export function resolveDns(
    { upstreams, serverBlocks, spread }: DnsOptions,
    { clusterDomain, dnsServiceAddress }: { readonly clusterDomain: string; readonly dnsServiceAddress: string },
): Dns {
    if (upstreams && upstreams.length > mostUpstreams) {
        throw invalid("network.dns.upstreams", `at most ${mostUpstreams} addresses`, upstreams.length);
    }
    for (const [index, upstream] of upstreams?.entries() ?? []) {
        requireUpstream(`network.dns.upstreams[${index}]`, upstream, dnsServiceAddress);
    }
    if (serverBlocks !== undefined) requireServerBlocks("network.dns.serverBlocks", serverBlocks, clusterDomain);
    return {
        ...(upstreams && { upstreams }),
        ...(serverBlocks && { serverBlocks }),
        spread: requireOneOf("network.dns.spread", spreads, spread ?? "required"),
    };
}

function requireUpstream(option: string, upstream: string, dnsServiceAddress: string): void {
    const { address, port } = parseUpstream(upstream);
    if (!isAddress(address) || port < 1 || port > 65_535) {
        throw invalid(option, "an address with an optional port: 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:53", upstream);
    }
    if (isLoopback(address) || address === dnsServiceAddress) {
        throw mustNot(option, "be cluster DNS or a loopback address", upstream);
    }
}

function parseUpstream(upstream: string): { readonly address: string; readonly port: number } {
    const [, bracketed, plain, port = "53"] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(upstream) ?? [];
    // An IPv6 address without a port needs no brackets.
    return { address: bracketed ?? plain ?? upstream, port: Number(port) };
}

function isAddress(text: string): boolean {
    return /^\d+\.\d+\.\d+\.\d+$/.test(text)
        ? Address4.isValid(text)
        : /^[0-9a-f:]+$/i.test(text) && Address6.isValid(text);
}

function isLoopback(address: string): boolean {
    return address.includes(":") ? new Address6(address).isLoopback() : /^(127|0)\./.test(address);
}

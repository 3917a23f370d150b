import type { HttpProxy, Network } from "./model";
import type { ProxyOptions } from "./options";
import { invalid } from "./validate";

/** Local to every machine: itself (Node.js knows no blocks), and the metadata service of its cloud. */
const local = ["localhost", "127.0.0.1", "127.0.0.0/8", "::1", "169.254.169.254"];

/** Throws `proxy.<key> must be <legal> (got <value>)`. @param zone - the cluster's own DNS zone */
export function resolveProxy(options: ProxyOptions, { zone, network }: { zone: string; network: Network }): HttpProxy {
    const { httpProxy, httpsProxy, noProxy = [] } = options;
    if (httpProxy === undefined && httpsProxy === undefined) {
        throw invalid("proxy", "an object with httpProxy, httpsProxy or both", options);
    }
    for (const [key, url] of Object.entries({ httpProxy, httpsProxy })) {
        if (url !== undefined) requireProxyUrl(`proxy.${key}`, url);
    }
    noProxy.forEach((each, index) => {
        if (!/^[A-Za-z0-9.:/*-]+$/.test(each) || each === "*") {
            throw invalid(
                `proxy.noProxy[${index}]`,
                "a host, a domain with a leading dot, an address or a block",
                each,
            );
        }
    });
    const { podCidr, serviceCidr, podCidr6, serviceCidr6, clusterDomain } = network;
    const blocks = [podCidr, serviceCidr, podCidr6, serviceCidr6].flatMap((block) => (block ? [block.text] : []));
    const names = [`.${zone}`, ".svc", `.${clusterDomain}`];
    return {
        ...(httpProxy !== undefined && { httpProxy }),
        ...(httpsProxy !== undefined && { httpsProxy }),
        noProxy: [...new Set([...local, ...blocks, ...names, ...noProxy])],
    };
}

function requireProxyUrl(option: string, text: string): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // Every process of a machine, and every reader of pods in kube-system, can read it.
    const isLegal = url?.protocol === "http:" && !url.username && !url.password && url.pathname === "/" && !url.search;
    if (!isLegal) {
        const legal = "an http:// URL of a host and a port, without credentials, such as http://proxy.example:3128";
        throw invalid(option, legal, text);
    }
}

/** The same cluster, whose machines reach this network directly. */
export function withDirectNetwork<Owner extends { readonly proxy?: HttpProxy }>(owner: Owner, cidr: string): Owner {
    const { proxy } = owner;
    return proxy ? { ...owner, proxy: { ...proxy, noProxy: [...new Set([...proxy.noProxy, cidr])] } } : owner;
}

/** Environment variables. curl reads `http_proxy` in lower case only, and Go either. */
export function proxyVariables({ httpProxy, httpsProxy, noProxy }: HttpProxy): Readonly<Record<string, string>> {
    const upper = {
        ...(httpProxy !== undefined && { HTTP_PROXY: httpProxy }),
        ...(httpsProxy !== undefined && { HTTPS_PROXY: httpsProxy }),
        NO_PROXY: noProxy.join(","),
    };
    const lower = Object.fromEntries(Object.entries(upper).map(([name, value]) => [name.toLowerCase(), value]));
    return { ...upper, ...lower };
}

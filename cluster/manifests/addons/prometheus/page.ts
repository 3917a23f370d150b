import { counts, graphs, lists, type Panel } from "./panels";

/**
 * The dashboard: a console template, which Prometheus serves as /consoles/index.html and fills with the present values.
 * Its script draws the rest.
 */
export function dashboardPage(cluster: string): string {
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="60">
<title>${cluster}</title>
<style>${style}</style>
<h1>${cluster}</h1>
<nav>${hours.map((each) => `<a href="?hours=${each}">${each} h</a>`).join(" ")}</nav>
<section>${counts.map(tile).join("\n")}</section>
<table id="alerts"></table>
${graphs.map(figure).join("\n")}
${lists.map(table).join("\n")}
<script>${script}</script>
</html>
`;
}

const hours = [1, 6, 24, 168];

function tile({ title, queries }: Panel): string {
    const [expr] = queries[0]!;
    // JSON is a string of Go, too.
    const found = `{{ with query ${JSON.stringify(expr)} }}{{ $value := . | first | value }}`;
    return `${found}<p{{ if ne $value 0.0 }} class="bad"{{ end }}><b>{{ $value }}</b> ${title}</p>{{ else }}<p><b>-</b> ${title}</p>{{ end }}`;
}

function table({ title, queries }: Panel): string {
    const [expr, name] = queries[0]!;
    const cells = name.replace(/<(\w+)>/g, "{{ .Labels.$1 }}").replaceAll("}} {{", "}}</td><td>{{");
    const rows = `{{ range query ${JSON.stringify(expr)} }}<tr><td>{{ printf "%.0f" .Value }}</td><td>${cells}</td></tr>{{ end }}`;
    return `<h2>${title}</h2><table>${rows}</table>`;
}

function figure({ title, unit, queries }: Panel): string {
    const quoted = JSON.stringify(queries).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;");
    return `<figure data-queries='${quoted}'${unit ? ` data-unit="${unit}"` : ""}><figcaption>${title}</figcaption></figure>`;
}

const style = `
body { font: 14px system-ui, sans-serif; margin: 1em auto; max-width: 1280px; padding: 0 1em; color: #222; background: #fff }
section { display: flex; flex-wrap: wrap; gap: 1em }
section p { flex: 1; margin: 0; padding: .5em 1em; background: #e6f4ea }
section p b { font-size: 2em; display: block }
.bad, .critical { background: #fad2cf }
.warning { background: #feefc3 }
table { border-collapse: collapse; margin: 1em 0 }
td { padding: .2em 1em .2em 0; vertical-align: top }
figure { display: inline-block; width: 600px; margin: 1em 20px 1em 0; vertical-align: top }
figure svg { width: 600px; height: 150px; background: #f6f6f6 }
figure span { margin-right: 1em }`;

// Names and summaries come from labels: they are set as text, never as HTML.
const script = `
const api = (path, parameters) => fetch("../api/v1/" + path + "?" + new URLSearchParams(parameters))
    .then((response) => response.json()).then(({ data }) => data);
const add = (parent, name, text, attributes, space = "http://www.w3.org/1999/xhtml") => {
    const element = parent.appendChild(document.createElementNS(space, name));
    element.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    return element;
};
const shown = (value, unit) => {
    if (unit === "s") return value >= 7200 ? (value / 3600).toFixed(1) + " h" : value.toPrecision(3) + " s";
    const [size, prefix] = unit === "bytes" ? [1024, ["", "Ki", "Mi", "Gi"]] : [1000, ["", "k", "M", "G"]];
    let power = 0;
    for (; value >= size && power < 3; power++) value /= size;
    return Number(value.toPrecision(3)) + " " + prefix[power] + (unit === "bytes" ? "B" : unit === "reqps" ? "/s" : "");
};
const seconds = Number(new URLSearchParams(location.search).get("hours") || 6) * 3600;
const end = Date.now() / 1000, start = end - seconds, step = Math.max(30, seconds / 300);
async function draw(figure) {
    const { queries, unit } = figure.dataset;
    const found = await Promise.all(JSON.parse(queries).map(async ([query, name]) =>
        (await api("query_range", { query, start, end, step })).result.map(({ metric, values }) => ({
            name: name.replace(/<(\\w+)>/g, (_, label) => metric[label] || ""),
            points: values.map(([time, value]) => [time, Number(value)]).filter(([, value]) => isFinite(value)),
        }))));
    const series = found.flat().filter(({ points }) => points.length > 0);
    const most = Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value))) || 1;
    const svg = add(figure, "svg", "", { viewBox: "0 0 600 150" }, "http://www.w3.org/2000/svg");
    series.forEach(({ name, points }, index) => {
        const color = "hsl(" + (index * 67) % 360 + " 70% 40%)";
        const line = points.map(([time, value]) => (time - start) / seconds * 600 + "," + (148 - value / most * 140));
        add(svg, "polyline", "", { points: line.join(" "), fill: "none", stroke: color }, svg.namespaceURI);
        add(figure, "span", name + " " + shown(points.at(-1)[1], unit), { style: "color:" + color });
    });
    if (series.length === 0) add(figure, "span", "no data");
}
for (const figure of document.querySelectorAll("figure")) draw(figure);
api("alerts").then(({ alerts }) => {
    for (const { state, activeAt, labels, annotations } of alerts) {
        const row = add(document.getElementById("alerts"), "tr", "", { class: state === "firing" ? labels.severity : "" });
        const since = new Date(activeAt).toLocaleString();
        for (const text of [state, since, labels.alertname, annotations.summary]) add(row, "td", text);
    }
});
`;

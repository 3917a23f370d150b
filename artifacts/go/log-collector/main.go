// The OpenTelemetry Collector with the components that log-collector uses.
package main

import (
	"log"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/syslogexporter"
	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/otlphttpexporter"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

var version string

func factories() (all otelcol.Factories, err error) {
	if all.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](filelogreceiver.NewFactory()); err != nil {
		return
	}
	exporters := []exporter.Factory{otlphttpexporter.NewFactory(), syslogexporter.NewFactory()}
	if all.Exporters, err = otelcol.MakeFactoryMap(exporters...); err != nil {
		return
	}
	all.Telemetry = otelconftelemetry.NewFactory()
	all.Extensions, err = otelcol.MakeFactoryMap[extension.Factory](filestorage.NewFactory())
	return
}

func main() {
	providers := []confmap.ProviderFactory{fileprovider.NewFactory(), envprovider.NewFactory()}
	command := otelcol.NewCommand(otelcol.CollectorSettings{
		BuildInfo:              component.BuildInfo{Command: "otelcol-contrib", Version: version},
		Factories:              factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{ProviderFactories: providers}},
	})
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}

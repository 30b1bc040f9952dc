import gzip
import pickle

import pytest

from app.scenes.formats.errors import SceneFormatError
from app.scenes.formats.files import SourceFile
from app.scenes.formats.kinds import FileKind
from app.scenes.formats.recognition import recognise


def holding(content: bytes | str, name: str = "file.bin") -> SourceFile:
    return SourceFile.holding(name, content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('{"format":"roadrater-scene","version":1}', FileKind.canonical),
        ("# roadrater-scene-csv 1\n# {}\ntrack_id\n", FileKind.canonical_csv),
        ("track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy\n", FileKind.interaction),
        ("case_id,track_id,frame_id,timestamp_ms,agent_type,x,y,vx\n", FileKind.interaction),
        ("recordingId,trackId,frame,xCenter,yCenter,heading\n", FileKind.levelx_tracks),
        ("recordingId,trackId,initialFrame,finalFrame,class\n", FileKind.levelx_tracks_meta),
        ("recordingId,locationId,frameRate\n", FileKind.levelx_recording_meta),
        ("frame,id,x,y,width,height,xVelocity,yVelocity\n", FileKind.highd_tracks),
        ("id,width,initialFrame,finalFrame,drivingDirection\n", FileKind.highd_tracks_meta),
        ("id,frameRate,upperLaneMarkings,lowerLaneMarkings\n", FileKind.highd_recording_meta),
        ("id;t;x;y\n1;0;0;0\n", FileKind.plain_csv),
        ("<commonRoad commonRoadVersion='2020a'/>", FileKind.commonroad),
        ("\ufeff<?xml version='1.0'?>\n<!-- long -->\n<fcd-export/>", FileKind.sumo_fcd),
        ("<net version='1.20'>", FileKind.sumo_net),
        ("<routes/>", FileKind.sumo_routes),
        ("<additional/>", FileKind.sumo_routes),
        ("<osm version='0.6'/>", FileKind.lanelet2),
        ("<OpenDRIVE/>", FileKind.opendrive),
    ],
)
def test_a_file_is_known_by_its_content_whatever_its_name(content, kind):
    assert recognise(holding(content)) == kind
    assert recognise(holding(gzip.compress(content.encode()))) == kind


def test_xml_in_another_encoding_is_xml():
    text = "<?xml version='1.0' encoding='UTF-16'?><osm/>".encode("utf-16")
    assert recognise(holding(text)) == FileKind.lanelet2


@pytest.mark.parametrize(
    ("content", "beginning"),
    [
        (b"", "a: the file is empty"),
        (b" \n ", "a: the file is empty"),
        (b"\x89PNG\r\n\x1a\n", "a: this is a PNG picture; known are "),
        (pickle.dumps([1]), "a: this is a Python pickle, which is never opened; known are "),
        (b"\0\0\0\x20ftypisom", "a: this is a video, not a file with tracks; known are "),
        (b"PAR1....", "a: this is a Parquet table; known are "),
        (b"<html></html>", "a: this is XML with the root element 'html'; known are "),
        (b"<osm", "a: line 1: not XML: "),
        (b"<?xml version='1.0' encoding='nonsense'?><osm/>", "a: "),
        (b"<!-- " + b"x" * 300_000, "a: no element begins within the first 262,144 bytes"),
        (b'{"type": "FeatureCollection"}', "a: this is JSON, but it does not say "),
        (b"hello world", "a: this is neither XML nor JSON nor a table with columns; known are "),
        (bytes(range(256)) * 4, "a: "),
        (gzip.compress(gzip.compress(b"x", mtime=0), mtime=0), "a: this is gzip inside gzip; "),
    ],
)
def test_a_stranger_is_told_what_it_looks_like(content, beginning):
    with pytest.raises(SceneFormatError) as refusal:
        recognise(holding(content, "a"))
    assert str(refusal.value).startswith(beginning)

"""Keep uploads: the files that scenes are cut from, and how each was cut."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("format", sa.String(length=40), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("suggestions", sa.JSON(), nullable=False),
        sa.Column("footage_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["footage_id"], ["footage.id"], name=op.f("fk_uploads_footage_id_footage")
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_uploads_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
        sa.UniqueConstraint("key", name=op.f("uq_uploads_key")),
    )
    op.create_index(op.f("ix_uploads_footage_id"), "uploads", ["footage_id"])
    op.create_index(op.f("ix_uploads_owner_id"), "uploads", ["owner_id"])
    op.create_table(
        "uploaded_scenes",
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("scene_id", sa.Integer(), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("still_problem", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["scene_id"], ["scenes.id"], name=op.f("fk_uploaded_scenes_scene_id_scenes")
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"],
            ["uploads.id"],
            name=op.f("fk_uploaded_scenes_upload_id_uploads"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("upload_id", "scene_id", name=op.f("pk_uploaded_scenes")),
    )
    op.create_index(op.f("ix_uploaded_scenes_scene_id"), "uploaded_scenes", ["scene_id"])


def downgrade() -> None:
    op.drop_table("uploaded_scenes")
    op.drop_table("uploads")
